import { Amount } from '../../ui/values/amount'
import type { Money } from '../../ui/values/format'
import classes from './accountabilities.module.css'

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
