import type { Row } from '#db/schema'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { updateExpense } from '#main/store/records/expenses/expense-writer'
import type { Changes } from '#main/store/core/record-writer'
import type { Tx } from '#main/store/core/store'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'

type Expense = Row<'expenses'>

/**
 * Liquidates an approved expense by the reimbursement that pays it (contract 3.2, supplement 2, "Reimbursements"). The caller checks whether that is
 * allowed.
 */
export function liquidateByReimbursement(tx: Tx, expense: Expense, reimbursement_id: number): Promise<Expense> {
  return settle(tx, expense, { from: 'approved', changes: { status: 'liquidated', reimbursement_id } })
}

/**
 * Liquidates an approved expense that its receiver paid with an advance (contract 3.2), which lowers their balance. The caller checks whether that is
 * allowed.
 */
export function liquidateThroughAdvancement(tx: Tx, expense: Expense): Promise<Expense> {
  if (expense.liquidate_through_advancement === 0) throw new Error('An expense is not to be liquidated through advancement.')
  return settle(tx, expense, { from: 'approved', changes: { status: 'liquidated' } })
}

/** Removes an expense from the reimbursement that paid it: it is approved again, with the same approved amount. */
export function returnToApproved(tx: Tx, expense: Expense): Promise<Expense> {
  return settle(tx, expense, { from: 'liquidated', changes: { status: 'approved', reimbursement_id: null } })
}

async function settle(
  tx: Tx,
  expense: Expense,
  { from, changes }: { from: Expense['status']; changes: Changes<'expenses'> },
): Promise<Expense> {
  const { id, payer_id } = expense
  if (expense.status !== from) throw new Error(`Expense ${id} is ${expense.status}, not ${from}.`)
  const stored = await updateExpense(tx, expense, { changes, settlement: true })
  const details: ActivityDetail[] = [{ attribute: 'status', from: expense.status, to: stored.status }]
  if (stored.reimbursement_id !== expense.reimbursement_id)
    details.push({ attribute: 'reimbursement_id', from: expense.reimbursement_id, to: stored.reimbursement_id })
  await recordActivity(tx, { organization_id: payer_id, subject: { type: 'Expense', id }, event: 'expense_status_changed', details })
  return stored
}
