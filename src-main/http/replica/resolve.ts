import { DomainError, invalid, notFound } from '#shared/domain/errors'
import { completeGroups, narrowBody } from '#shared/sync/narrow-body'
import { type JournalEntry, findJournalled, updateOperation } from '#main/store/sync/sync-journal'
import type { Tx } from '#main/store/core/store'
import { type AnyCompositeContext, type AnyWriteContext, contextWithin } from '../endpoint'
import { run } from '../pipeline'
import { type ApiResponse, messageOf, toApiResponse } from '../refusals'
import { readRepresentation } from '../representation'
import { runSliced } from '../run-sliced'
import { readStanding, undecided } from './operations'
import { placeLocally } from './replay'

export type Decision = 'again' | 'mine' | 'theirs' | 'discard'

/** An operation and the state that the person decided on; absent: the current state. */
interface Decided {
  readonly op_id: string
  readonly seen?: string
}

/**
 * Carries out a person's decisions about failed operations, each independently. Doing one again is a new operation, decided on what they see now; the
 * old one is never sent again.
 */
export async function resolveOperations(
  { deps, command }: AnyCompositeContext,
  { operations, decision }: { operations: readonly Decided[]; decision: Decision },
) {
  const steps = operations.map((decided) => async (tx: Tx) => {
    try {
      return await tx.savepoint((inner) => resolve(contextWithin(deps, command, inner), { ...decided, decision }))
    } catch (error) {
      if (error instanceof DomainError) return toApiResponse(error, command.sender.locale)
      throw error
    }
  })
  const responses = await runSliced<ApiResponse | undefined>(deps, command, { steps, outOfRoom: (response) => response })
  const refused = operations.flatMap(({ op_id }, index) => {
    const response = responses[index]
    return response ? [{ op_id, message: messageOf(response) }] : []
  })
  return { decided: operations.length - refused.length, refused }
}

/** Returns why an operation that was done again failed. Throws {@link DomainError}. */
async function resolve(
  context: AnyWriteContext,
  { op_id, seen, decision }: Decided & { decision: Decision },
): Promise<ApiResponse | undefined> {
  const { tx } = context
  const row = await findJournalled(tx, op_id)
  if (!row || row.user_id !== context.caller.user_id) throw notFound()
  if (!undecided.has(row.state)) throw invalid('decision', 'invalid')
  if (decision === 'again' || decision === 'mine') {
    if (seen !== undefined && (await readStanding(context, row)).seen !== seen) throw new DomainError({ kind: 'stale' })
    const response = await doAgain(context, row, decision)
    if (response.status >= 400) return response
  }
  await updateOperation(tx, row.id, { state: 'discarded', settled_at: tx.now })
  return undefined
}

async function doAgain(context: AnyWriteContext, row: JournalEntry, decision: Decision): Promise<ApiResponse> {
  const { tx, deps, command } = context
  const placed = await placeLocally(tx, row)
  if (!placed) throw notFound()
  const match = deps.api.router.read({ method: row.method, ...placed })
  if (match.kind !== 'found') throw notFound()
  const current = decision === 'mine' ? await readRepresentation(context, placed.path) : undefined
  // Of a disagreement, writes only the changed attributes: the others keep other people's values.
  const body = current ? completeGroups(narrowBody(placed.body, { current, write: Object.keys(row.mine) }), row.mine) : placed.body
  const { asked } = match
  const route = (current && deps.api.patchOf(asked.route)) ?? asked.route
  return run(deps, { ...asked, route, body, sender: command.sender }, { within: tx })
}
