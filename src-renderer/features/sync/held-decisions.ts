import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import type { ReplicaList, ReplicaOperation, ReplicaState } from '#shared/contract/instance/replica'
import { failureText } from '../../api/failure-text'
import { ownWritesShown } from '../../api/own-writes'
import { resolveOperations, type Decision } from '../../api/replica'
import { createHeldActs } from '../../state/held-acts'
import { notifyFailure } from '../../state/notices'
import { sendSlices, type SliceProgress } from './send-slices'
import { createPageStore } from '../../api/page/page-state'

/** Operations of one list about which a person has decided: out of sight, and not yet decided in earnest. */
type HeldDecision = { readonly list: ReplicaList; readonly op_ids: ReadonlySet<string> }

/**
 * Decisions are held as long as they can be taken back: nothing of them has happened then, so that taking one back undoes nothing.
 * One that is lost with its page leaves the operation where it was, to be decided.
 */
const decisions = createHeldActs<HeldDecision>()

/** How far the decisions that are being carried out are, and why some were refused, by operation. */
export const useDecisionWork = createPageStore<{ progress: SliceProgress | null; refusals: ReadonlyMap<string, string> }>(() => ({
  progress: null,
  refusals: new Map(),
}))

/** Decisions are carried out one batch after the other. */
let lastWork: Promise<void> = Promise.resolve()

/** Holds a decision, then carries it out; returns what takes it back, which returns false when it is too late. */
export function holdDecision(
  { list, operations, decision }: { list: ReplicaList; operations: readonly ReplicaOperation[]; decision: Decision },
  t: TFunction<'sync'>,
): () => boolean {
  const work = async () => {
    const { done, results, error } = await sendSlices(
      operations,
      (slice) => resolveOperations(slice, { decision, isLeaving: false }),
      (progress) => useDecisionWork.setState({ progress }),
    )
    const refused = results.flatMap((result) => result.refused.map(({ op_id, message }) => [op_id, message] as const))
    useDecisionWork.setState(({ refusals }) => ({ progress: null, refusals: new Map([...refusals, ...refused]) }))
    const reason = error === null ? refused[0]?.[1] : failureText(error)
    const count = error === null ? refused.length : operations.length - done + refused.length
    if (reason !== undefined) notifyFailure({ title: t('sync:decided.notDone', { count }), message: reason })
    await ownWritesShown()
  }
  return decisions.hold({
    target: { list, op_ids: new Set(operations.map(({ op_id }) => op_id)) },
    run: () => (lastWork = lastWork.then(work)),
    leave: () => void resolveOperations(operations, { decision, isLeaving: true }).catch(() => undefined),
  })
}

/** The operations about which nobody has decided. */
export function useUndecided(operations: readonly ReplicaOperation[]): readonly ReplicaOperation[] {
  const held = decisions.useTargets()
  return useMemo(() => operations.filter(({ op_id }) => !held.some(({ target }) => target.op_ids.has(op_id))), [operations, held])
}

/** The sync status as if the held decisions were carried out. */
export function useWithoutDecided<S extends ReplicaState | null | undefined>(state: S): S {
  const held = decisions.useTargets()
  return useMemo(() => {
    if (!state || held.length === 0) return state
    const countIn = (list: ReplicaList) => held.reduce((sum, { target }) => sum + (target.list === list ? target.op_ids.size : 0), 0)
    const left = (list: 'conflicts' | 'failed' | 'quarantined') => Math.max(0, state.counts[list] - countIn(list))
    const counts = { conflicts: left('conflicts'), failed: left('failed'), quarantined: left('quarantined') }
    return { ...state, counts: { ...state.counts, ...counts } }
  }, [state, held])
}
