import type { ExpenseStatus, MoveOutcome } from '#shared/domain/expense-status'
import { may } from '#shared/domain/permissions'
import { isAtLeast, type Role } from '#shared/domain/roles'

/** The statuses of an accountability, in order. Contract 3.2. */
export const accountabilityStatuses = ['opened', 'ready_to_review', 'analyzed', 'approved', 'finished'] as const

/** The state of an accountability. */
export type AccountabilityStatus = (typeof accountabilityStatuses)[number]

/** The caller's relation to an accountability: their role in the payer organization, its receiver, or its creator. */
export type AccountabilityRelation = { role: Role | undefined; is_receiver: boolean; is_holder: boolean }

type Move = { to: AccountabilityStatus; least: Role; isForParties?: true }

/** The moves of accountabilities (supplement 2, "Accountabilities"). The parties are the creator and the receiver. */
const moves: Readonly<Record<AccountabilityStatus, readonly Move[]>> = {
  opened: [{ to: 'ready_to_review', least: 'analyst', isForParties: true }],
  ready_to_review: [
    { to: 'opened', least: 'analyst' },
    { to: 'analyzed', least: 'analyst' },
  ],
  analyzed: [
    { to: 'ready_to_review', least: 'analyst' },
    { to: 'approved', least: 'manager' },
  ],
  approved: [
    { to: 'analyzed', least: 'manager' },
    { to: 'finished', least: 'manager' },
  ],
  finished: [],
}

/** The statuses to which this caller can move the accountability. */
export function offeredAccountabilityStatuses(
  accountability: { status: AccountabilityStatus },
  relation: AccountabilityRelation,
): AccountabilityStatus[] {
  const isParty = relation.is_receiver || relation.is_holder
  return moves[accountability.status]
    .filter((move) => isAtLeast(relation.role, move.least) || (move.isForParties === true && isParty))
    .map((move) => move.to)
}

/**
 * Decides a move by PUT status; a move to the current status is never offered. The caller checks that every expense is approved. Contract 4.5;
 * supplement 2, "Accountabilities", and 3, "Who is refused how".
 */
export function decideAccountabilityMove(
  accountability: { status: AccountabilityStatus },
  relation: AccountabilityRelation,
  to: AccountabilityStatus,
): MoveOutcome {
  if (offeredAccountabilityStatuses(accountability, relation).includes(to)) return { kind: 'allowed' }
  return moves[accountability.status].some((move) => move.to === to) ? { kind: 'forbidden' } : { kind: 'not_offered' }
}

/**
 * Whether the caller may add and remove expenses: anyone who sees it while opened, analysts and above in ready_to_review; otherwise 402. Supplement
 * 3, "`expense_ids` of an accountability".
 */
export function canChangeExpenses(accountability: { status: AccountabilityStatus }, relation: AccountabilityRelation): boolean {
  if (accountability.status === 'opened') return may('accountabilities.write', relation)
  return accountability.status === 'ready_to_review' && isAtLeast(relation.role, 'analyst')
}

/** Whether an accountability is in review, so that its expenses cannot be deleted. Supplement 3, "`expense_ids` of an accountability". */
export function isInReview(status: AccountabilityStatus): boolean {
  return status !== 'opened' && status !== 'finished'
}

/** Whether an expense is approved or settled, so that it does not prevent approving and finishing an accountability. */
export function isApprovedOrSettled({ status }: { status: ExpenseStatus }): boolean {
  return status === 'approved' || status === 'liquidated'
}
