import type { PreExpense } from '#shared/contract/pre-expenses'
import type { PreExpenseTarget } from '../../api/pre-expenses'
import { type MoneySum, sumMoney } from '../../ui/values/sums'

/** What converting many at once would do: those of which everything is known, and what they come to. */
export type ConversionPlan = {
  readonly targets: readonly PreExpenseTarget[]
  readonly totals: readonly MoneySum[]
  /** How many cannot be converted unchanged. */
  readonly incomplete: number
}

/** Plans the conversion of unchanged pre-expenses, paid by one organization. */
export function planConversion(pre_expenses: readonly PreExpense[], payer_id: number): ConversionPlan {
  const ready = pre_expenses.flatMap(({ id, status, amount, currency }) =>
    status === 'completed' && amount !== null && currency !== null ? [{ id, amount, currency }] : [],
  )
  return {
    targets: ready.map(({ id, amount, currency }) => ({ id, body: { payer: { id: payer_id, type: 'Organization' }, amount, currency } })),
    totals: sumMoney(ready),
    incomplete: pre_expenses.length - ready.length,
  }
}
