import { exponentOf } from '#shared/domain/currencies'

/** An exact number: `numerator / denominator`, the denominator above zero. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** An exact rate from a decimal text (`5.4321`); undefined if invalid or not above zero. */
export function parseRate(text: string): Rational | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text.trim())
  if (!match) return undefined
  const [whole = '', decimals = ''] = match.slice(1)
  const numerator = BigInt(whole + decimals)
  return numerator === 0n ? undefined : { numerator, denominator: 10n ** BigInt(decimals.length) }
}

/** `a / b`. */
export function divide(a: Rational, b: Rational): Rational {
  return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator }
}

/** The nearest whole number, rounding half to even. */
export function roundHalfEven({ numerator, denominator }: Rational): bigint {
  const isNegative = numerator < 0n
  const size = isNegative ? -numerator : numerator
  const [quotient, twice] = [size / denominator, (size % denominator) * 2n]
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  const rounded = quotient + (isUp ? 1n : 0n)
  return isNegative ? -rounded : rounded
}

/** The shown decimals of a rate. */
const shownDecimals = 8

/** A rate as text, with at most eight decimals. */
export function formatRate(rate: Rational): string {
  const scaled = roundHalfEven({ numerator: rate.numerator * 10n ** BigInt(shownDecimals), denominator: rate.denominator })
  const digits = scaled.toString().padStart(shownDecimals + 1, '0')
  return `${digits.slice(0, -shownDecimals)}.${digits.slice(-shownDecimals)}`.replace(/\.?0+$/, '')
}

/** An amount in minor units and the value of one unit of its currency; without a rate, it is in the target currency already. */
export interface ConvertedPart {
  readonly amount_minor: number
  readonly currency: string
  readonly rate?: Rational | undefined
}

/** Adds in pairs, which keeps denominators short. */
function sumExactly(parts: readonly Rational[]): Rational {
  const [first = { numerator: 0n, denominator: 1n }, second] = parts
  if (second === undefined) return first
  const middle = parts.length >> 1
  const [a, b] = [sumExactly(parts.slice(0, middle)), sumExactly(parts.slice(middle))]
  if (a.denominator === b.denominator) return { numerator: a.numerator + b.numerator, denominator: a.denominator }
  return { numerator: a.numerator * b.denominator + b.numerator * a.denominator, denominator: a.denominator * b.denominator }
}

/** The sum of amounts in a currency, in minor units: added exactly and rounded once, half to even. */
export function addConverted(parts: readonly ConvertedPart[], currency: string): number {
  const exact = parts.map(({ amount_minor, currency: from, rate }) => {
    const shift = exponentOf(currency) - exponentOf(from)
    const { numerator, denominator } = rate ?? { numerator: 1n, denominator: 1n }
    const up = 10n ** BigInt(Math.max(0, shift))
    const down = 10n ** BigInt(Math.max(0, -shift))
    return { numerator: BigInt(amount_minor) * numerator * up, denominator: denominator * down }
  })
  return Number(roundHalfEven(sumExactly(exact)))
}
