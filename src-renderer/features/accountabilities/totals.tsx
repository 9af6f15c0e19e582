import type { Expense } from '#shared/contract/expenses'
import { fromMinor, parseAmount, sumByCurrency } from '#shared/domain/money'
import { Amount } from '../../ui/values/amount'
import type { Money } from '../../ui/values/format'
import classes from './accountabilities.module.css'

/** What expenses claim, added up exactly, by currency. */
export function totalsOf(expenses: Iterable<Pick<Expense, 'amount' | 'currency'>>): Money[] {
  const minor = [...expenses].map(({ amount, currency }) => {
    const parsed = parseAmount(amount, currency)
    return { currency, amount_minor: parsed.kind === 'ok' ? parsed.amount_minor : 0 }
  })
  return sumByCurrency(minor).map(({ currency, amount_minor }) => ({ currency, amount: fromMinor(amount_minor, currency) }))
}

/** Sums, each currency apart. */
export function Totals({ totals }: { totals: readonly Money[] }) {
  return (
    <span className={classes.totals}>
      {totals.map(({ amount, currency }) => (
        <Amount key={currency} amount={amount} currency={currency} />
      ))}
    </span>
  )
}
