import { exponentOf } from '#shared/domain/currencies'
import { type Decimal, parseDecimal } from '#shared/domain/decimal'

/** What `parseAmount` found: the amount in minor units of its currency, or why there is none. */
export type ParsedAmount = { kind: 'ok'; amount_minor: number } | { kind: 'not_a_number' } | { kind: 'too_precise' } | { kind: 'too_large' }

/** Decimals of the scale on which amounts of every currency compare: the most any ISO 4217 currency has. */
const scaledExponent = 4

/** Above 2^39 a JSON number is too coarse to tell apart four decimals. */
const maximumOfFourDecimals = 2 ** 39 * 10 ** scaledExponent

/**
 * The largest amount, in minor units, that the currency may have: what stays a safe integer in ten-thousandths (about 900
 * thousand million major units; 549 for currencies of four decimals) and survives the JSON number of the wire.
 * @throws RangeError when the currency is unknown.
 */
export function maximumMinor(currency: string): number {
  const exponent = exponentOf(currency)
  if (exponent === scaledExponent) return maximumOfFourDecimals
  return Math.floor(Number.MAX_SAFE_INTEGER / 10 ** (scaledExponent - exponent))
}

/**
 * Reads an amount of the currency from a JSON number or a decimal text, exactly: never rounded, never multiplied as a float.
 * Negative amounts and zero are read too; whether they are allowed is the caller's rule. Supplement 1, "Amounts".
 * @throws RangeError when the currency is unknown.
 */
export function parseAmount(value: unknown, currency: string): ParsedAmount {
  const decimal = parseDecimal(value)
  if (decimal === undefined) return { kind: 'not_a_number' }
  return toUnits(decimal, exponentOf(currency), maximumMinor(currency))
}

/**
 * The plain JSON number of an amount, in major units: its shortest text has no more decimals than the currency.
 * @throws RangeError when the currency is unknown.
 */
export function fromMinor(amount_minor: number, currency: string): number {
  return amount_minor / 10 ** exponentOf(currency)
}

/**
 * The amount in integer ten-thousandths of the major unit, comparable across currencies: for filters and sorting.
 * @throws RangeError when the currency is unknown.
 */
export function toScaled(amount_minor: number, currency: string): number {
  return amount_minor * 10 ** (scaledExponent - exponentOf(currency))
}

/**
 * A filter's amount in ten-thousandths of the major unit, to compare with `toScaled`. Undefined when it is not a number, has
 * more than four decimals, or is larger than any amount can be.
 */
export function decimalToScaled(value: string | number): number | undefined {
  const decimal = parseDecimal(value)
  if (decimal === undefined) return undefined
  const parsed = toUnits(decimal, scaledExponent, Number.MAX_SAFE_INTEGER)
  return parsed.kind === 'ok' ? parsed.amount_minor : undefined
}

/**
 * The amount as the locale writes it, with the currency's code and exactly the decimals ISO 4217 gives it.
 * @throws RangeError when the currency is unknown.
 */
export function formatAmount(amount: { amount_minor: number; currency: string; locale: string }): string {
  const digits = exponentOf(amount.currency)
  const format = new Intl.NumberFormat(amount.locale, {
    style: 'currency',
    currency: amount.currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(fromMinor(amount.amount_minor, amount.currency))
}

/**
 * Adds amounts up, each currency apart and sorted by code: money never changes currency. `count` is how many amounts were added.
 * @throws RangeError when a sum is too large to be exact.
 */
export function sumByCurrency(
  items: Iterable<{ amount_minor: number; currency: string }>,
): Array<{ currency: string; amount_minor: number; count: number }> {
  const sums = new Map<string, { sum: bigint; count: number }>()
  for (const { amount_minor, currency } of items) {
    const { sum, count } = sums.get(currency) ?? { sum: 0n, count: 0 }
    sums.set(currency, { sum: sum + BigInt(amount_minor), count: count + 1 })
  }
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { sum, count }]) => ({ currency, amount_minor: toSafeNumber(sum), count }))
}

function toUnits(decimal: Decimal, exponent: number, maximum: number): ParsedAmount {
  const zeros = exponent - decimal.scale
  if (zeros < 0) return { kind: 'too_precise' }
  if (decimal.digits === '') return { kind: 'ok', amount_minor: 0 }
  if (decimal.digits.length + zeros > String(maximum).length) return { kind: 'too_large' }
  const units = Number(decimal.digits + '0'.repeat(zeros))
  if (units > maximum) return { kind: 'too_large' }
  return { kind: 'ok', amount_minor: decimal.negative ? -units : units }
}

/** A sum as a number. Throws RangeError where a number could not hold it exactly. */
export function toSafeNumber(sum: bigint): number {
  const number = Number(sum)
  if (!Number.isSafeInteger(number)) throw new RangeError(`Too large a sum: ${sum}`)
  return number
}
