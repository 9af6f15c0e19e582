import { expenseStatuses, type ExpenseStatus } from '#shared/domain/expense-status'

/** Whether a text is an expense status. */
export function isExpenseStatus(text: string): text is ExpenseStatus {
  return expenseStatuses.some((status) => status === text)
}
