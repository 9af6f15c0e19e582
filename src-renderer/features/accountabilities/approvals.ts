import type { Expense } from '#shared/contract/expenses'
import { type ExpenseRelation, type ExpenseStatus, offeredStatuses } from '#shared/domain/expense-status'

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

/** How many expenses of each status there are, the most first. */
export function countByStatus(expenses: readonly Expense[]): Array<{ status: ExpenseStatus; count: number }> {
  return [...Map.groupBy(expenses, ({ status }) => status)]
    .map(([status, members]) => ({ status, count: members.length }))
    .toSorted((a, b) => b.count - a.count)
}
