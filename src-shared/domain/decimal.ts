/**
 * An exact decimal: `digits` × 10^-`scale`, with a separate sign. `digits` has no leading or trailing zeros and is empty for zero, so `scale` is the
 * number of decimals that the value needs (negative for round thousands).
 */
export type Decimal = { negative: boolean; digits: string; scale: number }

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
