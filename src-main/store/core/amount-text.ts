import { exponentOf } from '#shared/domain/currencies'
import { fromMinor } from '#shared/domain/money'

/** An amount as people write it; the SQL function `amount_text`. */
export function amountText(amount_minor: number, currency: string): string {
  return fromMinor(amount_minor, currency).toFixed(exponentOf(currency))
}
