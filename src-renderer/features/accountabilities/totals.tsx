import type { Expense } from '#shared/contract/expenses'
import { fromMinor, parseAmount, sumByCurrency } from '#shared/domain/money'
import { Amount } from '../../ui/values/amount'
import type { Money } from '../../ui/values/format'
import classes from './accountabilities.module.css'

/** Amounts added up exactly, by currency. */
export function totalsOf(expenses: Iterable<Pick<Expense, 'amount' | 'currency'>>): Money[] {
  const minor = [...expenses].map(({ amount, currency }) => {
    const parsed = parseAmount(amount, currency)
    return { currency, amount_minor: parsed.kind === 'ok' ? parsed.amount_minor : 0 }
  })
  return sumByCurrency(minor).map(({ currency, amount_minor }) => ({ currency, amount: fromMinor(amount_minor, currency) }))
}

/** What of some sums is left after others, exact, by currency; without what is nothing. */
export function subtractTotals(totals: readonly Money[], less: readonly Money[]): Money[] {
  const left = totalsOf([...totals, ...less.map(({ amount, currency }) => ({ amount: -amount, currency }))])
  return left.filter(({ amount }) => amount !== 0)
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
