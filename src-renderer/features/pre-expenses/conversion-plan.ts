import type { PreExpense } from '#shared/contract/pre-expenses'
import { fromMinor, parseAmount, sumByCurrency } from '#shared/domain/money'
import type { PreExpenseTarget } from '../../api/pre-expenses'
import type { Money } from '../../ui/values/format'

/** What converting many at once would do: those of which everything is known, and what they come to. */
export type ConversionPlan = {
  readonly targets: readonly PreExpenseTarget[]
  readonly totals: readonly Money[]
  /** How many cannot be converted unchanged. */
  readonly incomplete: number
}

/** Plans the conversion of unchanged pre-expenses, paid by one organization. */
export function planConversion(pre_expenses: readonly PreExpense[], payer_id: number): ConversionPlan {
  const ready = pre_expenses.flatMap(({ id, status, amount, currency }) =>
    status === 'completed' && amount !== null && currency !== null ? [{ id, amount, currency }] : [],
  )
  const amounts = ready.flatMap(({ amount, currency }) => {
    const parsed = parseAmount(amount, currency)
    return parsed.kind === 'ok' ? [{ amount_minor: parsed.amount_minor, currency }] : []
  })
  return {
    targets: ready.map(({ id, amount, currency }) => ({ id, body: { payer: { id: payer_id, type: 'Organization' }, amount, currency } })),
    totals: sumByCurrency(amounts).map(({ currency, amount_minor }) => ({ currency, amount: fromMinor(amount_minor, currency) })),
    incomplete: pre_expenses.length - ready.length,
  }
}
