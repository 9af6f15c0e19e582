import type { ExpenseStatus } from '#shared/domain/expense-status'

/** The statuses of expenses that accounting books: owed and settled ones. */
export const bookedStatuses: readonly ExpenseStatus[] = ['approved', 'liquidated']

/** The account type of an expense's booking: it is owed to its claimant, came from their advance, or was charged to a company card. */
export const bookedAgainst = ['claimant', 'advance', 'card'] as const
export type BookedAgainst = (typeof bookedAgainst)[number]

/** How an expense was settled: `outside` Outlay, by hand. */
export type SettledBy = 'reimbursement' | 'advance' | 'card' | 'outside'

/** The values of an expense that decide its booking; booleans as in a database. */
export interface BookableExpense {
  readonly status: ExpenseStatus
  readonly liquidate_through_advancement: 0 | 1
  readonly reimbursement_id: number | null
  readonly corporative_card_id: number | null
}

/**
 * The account type of an expense. It is known from approval on, so a payment does not change it; except one that pays the claimant for a charge of a
 * card.
 */
export function bookedAgainstOf(expense: Omit<BookableExpense, 'status'>): BookedAgainst {
  if (expense.liquidate_through_advancement === 1) return 'advance'
  return expense.corporative_card_id !== null && expense.reimbursement_id === null ? 'card' : 'claimant'
}

/** How a settled expense was settled; null if it is not settled. */
export function settledByOf(expense: BookableExpense): SettledBy | null {
  if (expense.status !== 'liquidated') return null
  if (expense.reimbursement_id !== null) return 'reimbursement'
  const against = bookedAgainstOf(expense)
  return against === 'claimant' ? 'outside' : against
}
