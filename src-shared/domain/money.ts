import { exponentOf } from './currencies'

/**
 * An exact decimal: `digits` × 10^-`scale`, with a separate sign. `digits` has no leading or trailing zeros and is empty for zero, so `scale` is the
 * number of decimals that the value needs (negative for round thousands).
 */
type Decimal = { negative: boolean; digits: string; scale: number }

/** A quotient of nonnegative whole numbers, rounded half up: the only rounding of money. */
export function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

/** People do not write longer amounts; the bound also keeps hostile input cheap. */
const longestText = 100

/**
 * Parses a finite number (by its shortest decimal text) or a decimal text such as "12.50" or "1e-7" exactly. Undefined for everything else, including
 * blanks, plus signs, hexadecimal and texts over 100 characters.
 */
export function parseDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const text = String(value)
  if (text.length > longestText) return undefined
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = match
  const significant = (whole + fraction).replace(/^0+/, '')
  const digits = significant.replace(/0+$/, '')
  if (digits === '') return { negative: false, digits, scale: 0 }
  const trailingZeros = significant.length - digits.length
  return { negative: sign === '-', digits, scale: fraction.length - trailingZeros - Number(power) }
}

/** A parsed amount in minor units of its currency, or why there is none. */
type ParsedAmount = { kind: 'ok'; amount_minor: number } | { kind: 'not_a_number' } | { kind: 'too_precise' } | { kind: 'too_large' }

/** The decimals of the scale on which amounts of every currency are compared: the most any ISO 4217 currency has. */
const scaledExponent = 4

/** Above 2^39, JSON numbers cannot distinguish four decimals. */
const maximumOfFourDecimals = 2 ** 39 * 10 ** scaledExponent

/**
 * The largest amount of a currency, in minor units: a safe integer in ten-thousandths (about 900 thousand million major units; 549 for currencies of
 * four decimals) that survives as a JSON number.
 * @throws RangeError if the currency is unknown.
 */
export function maximumMinor(currency: string): number {
  const exponent = exponentOf(currency)
  if (exponent === scaledExponent) return maximumOfFourDecimals
  return Math.floor(Number.MAX_SAFE_INTEGER / 10 ** (scaledExponent - exponent))
}

/**
 * Parses an amount exactly, from a JSON number or decimal text: without rounding or floating-point arithmetic. Accepts negative amounts and zero; the
 * caller checks whether they are allowed. Supplement 1, "Amounts".
 * @throws RangeError if the currency is unknown.
 */
export function parseAmount(value: unknown, currency: string): ParsedAmount {
  const decimal = parseDecimal(value)
  if (decimal === undefined) return { kind: 'not_a_number' }
  return toUnits(decimal, exponentOf(currency), maximumMinor(currency))
}

/**
 * The JSON number of an amount, in major units: its shortest text has no more decimals than the currency.
 * @throws RangeError if the currency is unknown.
 */
export function fromMinor(amount_minor: number, currency: string): number {
  return amount_minor / 10 ** exponentOf(currency)
}

/**
 * The amount in integer ten-thousandths of the major unit, comparable across currencies, for filters and sorting.
 * @throws RangeError if the currency is unknown.
 */
export function toScaled(amount_minor: number, currency: string): number {
  return amount_minor * 10 ** (scaledExponent - exponentOf(currency))
}

/**
 * A filter's amount in ten-thousandths of the major unit, to compare with `toScaled`. Undefined if it is not a number, has more than four decimals,
 * or is too large.
 */
export function decimalToScaled(value: string | number): number | undefined {
  const decimal = parseDecimal(value)
  if (decimal === undefined) return undefined
  const parsed = toUnits(decimal, scaledExponent, Number.MAX_SAFE_INTEGER)
  return parsed.kind === 'ok' ? parsed.amount_minor : undefined
}

/**
 * The amount in the locale's notation, with the currency's code and exactly its ISO 4217 decimals.
 * @throws RangeError if the currency is unknown.
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
 * Adds amounts up by currency, sorted by code; never converts. `count` is the number of amounts.
 * @throws RangeError if a sum is too large to be exact.
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

/** A sum as a number. Throws RangeError if a number cannot hold it exactly. */
export function toSafeNumber(sum: bigint): number {
  const number = Number(sum)
  if (!Number.isSafeInteger(number)) throw new RangeError(`Too large a sum: ${sum}`)
  return number
}
