import type { Expense } from '#shared/contract/expenses'
import { countedAmount } from '#shared/domain/counted-amount'
import { type MoneySum, sumMoney } from '../../ui/values/sums'

/** What counts of an expense when it is paid. */
export type PayableExpense = Pick<Expense, 'id' | 'amount' | 'currency' | 'approved_amount' | 'approved_amount_currency'>

/**
 * What was approved of these expenses, by currency.
 * @throws RangeError when an amount is no amount of its currency.
 */
export function sumApproved(expenses: Iterable<PayableExpense>): MoneySum[] {
  return sumMoney([...expenses].map(countedAmount))
}

/** How the payment differs from the sum of the expenses, in minor units. */
export type PaymentDifference = { readonly kind: 'same' } | { readonly kind: 'less' | 'more'; readonly amount_minor: number }

/** Compares the payment with the sum of the expenses. */
export function compareWithSum(paid_minor: number, sum_minor: number): PaymentDifference {
  if (paid_minor === sum_minor) return { kind: 'same' }
  return { kind: paid_minor < sum_minor ? 'less' : 'more', amount_minor: Math.abs(paid_minor - sum_minor) }
}
