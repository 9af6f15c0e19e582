import type { ReplicaOperation } from '#shared/contract/instance/replica'

/** How an operation came back. `disagreement`: two people changed the same field; `stale`: decided on data that has changed since. */
export type Return = 'disagreement' | 'stale' | 'refusedHere'

/** As {@link returnOf}, for texts: no text says that another person changed what the reader changed on another device. */
export function cameOf(operation: Pick<ReplicaOperation, 'answer'>): Return | 'own' {
  const came = returnOf(operation)
  return came === 'disagreement' && operation.answer?.is_own === true ? 'own' : came
}

/** Why an operation is among those that came back. */
export function returnOf({ answer: response }: Pick<ReplicaOperation, 'answer'>): Return {
  if (response?.message === 'disagreement') return 'disagreement'
  return response === null || response.message === 'stale' || response.differences.length > 0 ? 'stale' : 'refusedHere'
}

/** The responses that the engine gives by a name; all others are the remote's own words. */
const named = new Set(['stale', 'disagreement', 'depends', 'operation_reused', 'operation_unknown'])

/** The record is no longer there. */
const gone = new Set([404, 410])

/** What the last answer says: by its key below `answer`, or in words of the remote. */
export function responseOf({
  answer: response,
  attempts,
}: Pick<ReplicaOperation, 'answer' | 'attempts'>): { key: string } | { text: string } {
  if (response === null) return { key: attempts === 0 ? 'none' : 'noWord' }
  const { message, status } = response
  if (message === 'disagreement' && response.is_own === true) return { key: 'own' }
  if (gone.has(status)) return { key: 'gone' }
  if (message === null || message === '') return { key: status >= 200 && status < 300 ? 'taken' : 'status' }
  return named.has(message) ? { key: message } : { text: message }
}

/** What a person can do about an operation of a list. */
export const acts = ['again', 'mine', 'theirs', 'export', 'discard'] as const
export type Act = (typeof acts)[number]

/** The acts for an operation by its list, in order; the first is the default. */
export function actsFor(operation: Pick<ReplicaOperation, 'state' | 'answer'>): readonly Act[] {
  switch (operation.state) {
    case 'conflict':
      return returnOf(operation) === 'disagreement' ? ['mine', 'theirs'] : ['again', 'discard']
    case 'rejected':
    case 'parked':
      if (operation.answer && gone.has(operation.answer.status)) return ['export', 'discard']
      // Sent again as it is, it would come back: first someone has to do what the answer says.
      return operation.answer?.status === 403 ? ['export', 'again', 'discard'] : ['again', 'export', 'discard']
    case 'quarantined':
      return ['export', 'discard']
    case 'pending':
    case 'sent':
    case 'acknowledged':
      return []
  }
}

type Decidable = Pick<ReplicaOperation, 'state' | 'answer' | 'is_conditional'>

/** Whether to do it again means to look at it first: what it was decided by has changed, and money may hang on it. */
export function isLookedAt(operation: Decidable): boolean {
  return operation.is_conditional && actsFor(operation).includes('again')
}

/** Those of some operations with which an act can be done; of several at once nothing that is to be looked at first. */
export function decidable<O extends Decidable>(operations: readonly O[], act: Act): readonly O[] {
  const isMany = operations.length > 1
  return operations.filter((operation) => actsFor(operation).includes(act) && !(isMany && act === 'again' && isLookedAt(operation)))
}

/** What can be done with some of these operations, or with the only one. */
export function actsForAll(operations: readonly Decidable[]): readonly Act[] {
  return acts.filter((act) => (operations.length === 1 || act !== 'export') && decidable(operations, act).length > 0)
}
