import { writeDistance } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import type { Flag } from '#shared/domain/policies'

/** A finding for a text. Amounts in the units that `money` formats. */
export type WordedFlag = Pick<Flag, 'condition' | 'is_checked' | 'value' | 'limit' | 'currency' | 'unit' | 'period'>

/** A text of `policies:flags`, with the values of its placeholders. */
export interface FlagText {
  readonly name: string
  readonly params: Readonly<Record<string, string | number>>
}

/**
 * The text of a finding without the policy's name: "BRL 212.00 on that day, limit BRL 80.00". Both screens and the API's errors use it. `money`:
 * formats an amount.
 */
export function flagText(
  { condition, is_checked, value, limit, currency, unit, period }: WordedFlag,
  { language, money }: { language: Language; money: (amount: number, currency: string) => string },
): FlagText {
  const say = (name: string, params: FlagText['params'] = {}) => ({ name, params })
  const written = (measure: number | null) => {
    if (measure === null) return ''
    if (unit !== null) return `${writeDistance(measure, language)} ${unit}`
    return currency === null ? '' : money(measure, currency)
  }
  const measured = { value: written(value), limit: written(limit) }
  if (!is_checked) return say(condition === 'card_line' ? 'card_line_unchecked' : 'unchecked', { currency: currency ?? '' })
  if (condition === 'repeat') return say(condition, { count: value ?? 1 })
  if (condition === 'receipt_missing' && limit !== null) return say('receipt_above', measured)
  if (condition === 'older_than') return say(condition, { count: value ?? 0, limit: limit ?? 0 })
  if (condition === 'invoice_date') return say(condition, { count: value ?? 0 })
  return say(period === null ? condition : `sum.${period}`, measured)
}
