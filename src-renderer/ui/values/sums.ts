import { fromMinor, parseAmount, sumByCurrency } from '#shared/domain/money'
import type { Money } from './format'

/** What amounts come to in one currency, exactly; `count`: how many they are, `amount` in major units. */
export type MoneySum = Money & { readonly amount_minor: number; readonly count: number }

/**
 * Adds amounts of major units up, exactly, each currency apart and sorted by code.
 * @throws RangeError when an amount is no amount of its currency.
 */
export function sumMoney(amounts: Iterable<Money>): MoneySum[] {
  const minor = [...amounts].map(({ amount, currency }) => {
    const parsed = parseAmount(amount, currency)
    if (parsed.kind !== 'ok') throw new RangeError(`${amount} is no amount of ${currency}.`)
    return { currency, amount_minor: parsed.amount_minor }
  })
  return sumByCurrency(minor).map((sum) => ({ ...sum, amount: fromMinor(sum.amount_minor, sum.currency) }))
}

/** Like {@link sumMoney}, without what comes to nothing; `sign` -1 takes away. */
export function addTotals(parts: Iterable<Money & { readonly sign?: 1 | -1 }>): Money[] {
  return sumMoney([...parts].map(({ amount, currency, sign = 1 }) => ({ currency, amount: sign * amount })))
    .filter(({ amount_minor }) => amount_minor !== 0)
    .map(({ currency, amount }) => ({ currency, amount }))
}
