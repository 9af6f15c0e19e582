import { expenseStatuses, offeredStatuses, type ExpenseRelation, type ExpenseStatus } from '#shared/domain/expense-status'
import type { Decision } from '#renderer/records/expense/deciding/decision'
import type { ReasonKind } from './recent-reasons'

/** Something that a key does with expenses. `isForOne`: asks what only one expense can answer. */
export type ReviewAction = {
  readonly id: 'approve' | 'approvePart' | 'reject' | 'ask' | 'analyze' | 'analyzed' | 'return' | 'noncompliant' | 'tolerate' | 'liquidate'
  readonly keys: string
  readonly target: ExpenseStatus
  /** The act; `asks` is the question to ask first. */
  readonly does: { readonly kind: 'act'; readonly act: Decision } | { readonly kind: 'asks'; readonly asks: ReasonKind }
  readonly isForOne?: true
}

const act = (done: Decision) => ({ kind: 'act', act: done }) as const
const asks = (asked: ReasonKind) => ({ kind: 'asks', asks: asked }) as const

/** Everything a reviewer does, most often first. */
export const reviewActions: readonly ReviewAction[] = [
  { id: 'approve', keys: 'a', target: 'approved', does: act({ kind: 'approve' }) },
  { id: 'approvePart', keys: 'p', target: 'approved', does: asks('approve_part'), isForOne: true },
  { id: 'reject', keys: 'r', target: 'rejected', does: asks('reject') },
  { id: 'ask', keys: 'n', target: 'pending', does: asks('ask') },
  { id: 'analyze', keys: 't', target: 'analyzing', does: act({ kind: 'move', status: 'analyzing' }) },
  { id: 'analyzed', keys: 'd', target: 'analyzed', does: act({ kind: 'move', status: 'analyzed' }) },
  { id: 'return', keys: 'b', target: 'awaiting_analysis', does: act({ kind: 'move', status: 'awaiting_analysis' }) },
  { id: 'noncompliant', keys: 'o', target: 'noncompliant', does: act({ kind: 'mark_noncompliant' }) },
  { id: 'tolerate', keys: 'shift+o', target: 'noncompliant', does: asks('tolerate') },
  { id: 'liquidate', keys: 'shift+l', target: 'liquidated', does: act({ kind: 'move', status: 'liquidated' }) },
]

/** The actions that a caller of this role can do with some expense; the server decides again on each. */
export function actionsFor(relation: ExpenseRelation): readonly ReviewAction[] {
  const reachable = new Set(expenseStatuses.flatMap((status) => offeredStatuses({ status, ignore_noncompliant: true }, relation)))
  return reviewActions.filter(({ target }) => reachable.has(target))
}

/** The act of an action as far as it is known before any question. */
export function actOf({ does }: ReviewAction, { amount }: { readonly amount: number } = { amount: 0 }): Decision {
  if (does.kind === 'act') return does.act
  return does.asks === 'approve_part' ? { kind: does.asks, amount, reason: '' } : { kind: does.asks, reason: '' }
}
