import { type DomainError, forbidden } from './errors'
import type { ExpenseRelation, ExpenseStatus } from './expense-status'
import { may } from './permissions'
import { isAtLeast, type Role } from './roles'

/** Whether an edit or deletion is allowed, possible only for another role (403), or for no role (422). */
export type AccessOutcome = { kind: 'allowed' } | { kind: 'forbidden' } | { kind: 'not_possible' }

const receiverEdits: readonly ExpenseStatus[] = ['awaiting_analysis', 'pending']

/** Whether the caller sees the expense; others get a 404. Supplement 2, "Expenses": who sees. */
export function canSeeExpense(relation: { role: Role | undefined; is_receiver: boolean; is_participant: boolean }): boolean {
  return may('expenses.read', relation)
}

/**
 * Decides an edit of an expense or its attachments: the receiver while awaiting_analysis or pending, analysts and above until approved, managers and
 * above while approved, nobody once liquidated or in a closed month. Supplement 2, "Expenses": who edits.
 */
export function decideExpenseEdit(expense: { status: ExpenseStatus }, relation: ExpenseRelation): AccessOutcome {
  const { status } = expense
  if (status === 'liquidated' || relation.is_closed === true) return { kind: 'not_possible' }
  const least: Role = status === 'approved' ? 'manager' : 'analyst'
  const isTheirs = isAtLeast(relation.role, least) || (relation.is_receiver && receiverEdits.includes(status))
  return may('expenses.write', relation) && isTheirs ? { kind: 'allowed' } : { kind: 'forbidden' }
}

/** Why someone who sees the expense may not edit or delete it now, and who could. */
export function refuseEdit({ status }: { status: ExpenseStatus }, { role, is_receiver }: ExpenseRelation): DomainError {
  const isReviewer = isAtLeast(role, 'analyst')
  if (isReviewer && status === 'approved') return forbidden('edit_approved')
  return is_receiver && !isReviewer ? forbidden('edit_in_review') : forbidden()
}

/**
 * Decides the deletion of an expense: like an edit, but never while it is in a reimbursement or in an accountability in review (`isInReview` of the
 * accountability's status). Supplement 2, "Expenses".
 */
export function decideExpenseDeletion(
  expense: { status: ExpenseStatus; is_in_reimbursement: boolean; is_in_review: boolean },
  relation: ExpenseRelation,
): AccessOutcome {
  if (expense.is_in_reimbursement || expense.is_in_review) return { kind: 'not_possible' }
  return decideExpenseEdit(expense, relation)
}
