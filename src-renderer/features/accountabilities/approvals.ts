import type { Expense } from '#shared/contract/expenses'
import { type ExpenseRelation, type ExpenseStatus, offeredStatuses } from '#shared/domain/expense-status'
import { moveOperation } from '../../records/expense/expense-moves'
import type { ExpensePlan } from '../../records/expense/expense-writes'

/** Statuses without an objection to an expense: it waits for a review. */
const cleanStatuses: readonly ExpenseStatus[] = ['awaiting_analysis', 'analyzing', 'analyzed']

/** Whether the user may approve the expense. */
export function canApprove(expense: Expense, relation: ExpenseRelation): boolean {
  return offeredStatuses(expense, relation).includes('approved')
}

/** Whether nothing speaks against the expense: neither pending, rejected nor noncompliant. */
export function isClean(expense: Expense): boolean {
  return cleanStatuses.includes(expense.status)
}

/** Approves the expense in full, unless it has changed since it was seen. */
export function approvalOf(seen: Expense): ExpensePlan {
  const { amount, currency } = seen
  const body = { status: 'approved', approved_amount: amount, approved_amount_currency: currency } as const
  return { seen, steps: () => [(now) => moveOperation(now, body)] }
}

/** The expense as it will be once approved: what the row shows meanwhile. */
export function foreseen(expense: Expense): Expense {
  const { amount, currency } = expense
  return { ...expense, status: 'approved', approved_amount: amount, approved_amount_currency: currency }
}

/** How many expenses of each status there are, the most first. */
export function countByStatus(expenses: readonly Expense[]): Array<{ status: ExpenseStatus; count: number }> {
  return [...Map.groupBy(expenses, ({ status }) => status)]
    .map(([status, members]) => ({ status, count: members.length }))
    .toSorted((a, b) => b.count - a.count)
}
