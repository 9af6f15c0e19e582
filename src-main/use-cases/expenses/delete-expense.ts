import { DomainError } from '#shared/domain/errors'
import { isInReview } from '#shared/domain/accountability-status'
import { decideExpenseDeletion, refuseEdit } from '#shared/domain/expense-access'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { listAccountabilityStatusesOf } from '#main/store/records/settlements/accountability-reader'
import { deleteExpense as storeDeletion } from '#main/store/records/expenses/expense-writer'
import type { Tx } from '#main/store/core/store'
import { getVisibleExpense } from '../access/get-visible-expense'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { endMatches } from '../statements/statement-match-record'

/** Deletes an expense, with its matches (supplement 2, "Deleting follows the same rule"). Throws {@link DomainError}. */
export async function deleteExpense(tx: Tx, id: number): Promise<void> {
  const { expense, relation } = await getVisibleExpense(tx, { id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, expense.payer_id)
  const is_in_reimbursement = expense.reimbursement_id !== null
  const is_in_review = (await listAccountabilityStatusesOf(tx, id)).some(isInReview)
  const decision = decideExpenseDeletion({ status: expense.status, is_in_reimbursement, is_in_review }, relation)
  if (decision.kind === 'forbidden') throw refuseEdit(expense, relation)
  await assertFresh(tx, expense)
  if (decision.kind === 'not_possible')
    throw new DomainError({ kind: 'not_possible', code: is_in_reimbursement || is_in_review ? 'expense_in_use' : 'liquidated_expense' })
  await storeDeletion(tx, expense)
  await endMatches(tx, id)
  await recordActivity(tx, { organization_id: expense.payer_id, subject: { type: 'Expense', id }, event: 'expense_destroyed' })
}
