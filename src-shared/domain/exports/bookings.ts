import type { ExpenseStatus } from '#shared/domain/expense-status'

/** The statuses of expenses that accounting books: what is owed, and what was settled. All others count for nothing there. */
export const bookedStatuses: readonly ExpenseStatus[] = ['approved', 'liquidated']

/** Against which account an expense is booked: it is owed to its claimant, came out of their advance, or was charged to a company card. */
export const bookedAgainst = ['claimant', 'advance', 'card'] as const
export type BookedAgainst = (typeof bookedAgainst)[number]

/** How an expense was settled: `outside` Outlay, by hand. */
export type SettledBy = 'reimbursement' | 'advance' | 'card' | 'outside'

/** What of an expense says how it is booked; flags as a database has them. */
export interface BookableExpense {
  readonly status: ExpenseStatus
  readonly liquidate_through_advancement: 0 | 1
  readonly reimbursement_id: number | null
  readonly corporative_card_id: number | null
}

/** The account that an expense is booked against. It is known once the expense is approved, so a payment changes nothing; only one that pays its claimant for a charge of a card does. */
export function bookedAgainstOf(expense: Omit<BookableExpense, 'status'>): BookedAgainst {
  if (expense.liquidate_through_advancement === 1) return 'advance'
  return expense.corporative_card_id !== null && expense.reimbursement_id === null ? 'card' : 'claimant'
}

/** How a settled expense was settled; null while it is not. */
export function settledByOf(expense: BookableExpense): SettledBy | null {
  if (expense.status !== 'liquidated') return null
  if (expense.reimbursement_id !== null) return 'reimbursement'
  const against = bookedAgainstOf(expense)
  return against === 'claimant' ? 'outside' : against
}
