import { exponentOf } from './currencies'
import { maximumMinor, parseDecimal, roundHalfUp } from './money'

/** The units in which distances are measured and priced. Contract 2.15. */
export const distanceKinds = ['km', 'mi'] as const

/** Kilometre or mile. */
export type DistanceKind = (typeof distanceKinds)[number]

/** A rate as two whole numbers: minor units of its currency, and the remaining millionths of the major unit. */
export type Rate = { amount_minor: number; amount_millionths: number }

/** What an organization pays per `distance_kind`, in `currency`. Contract 2.15. */
export type DistanceRule = Rate & { currency: string; distance_kind: DistanceKind }

/** A parsed rate, or why there is none. */
export type ParsedRate = ({ kind: 'ok' } & Rate) | { kind: 'not_a_number' | 'too_precise' | 'too_large' | 'not_positive' }

/** The default rule: 1.00 BRL per km. Supplement 3, "Distance rule". */
export const defaultDistanceRule: DistanceRule = { amount_minor: 100, amount_millionths: 0, currency: 'BRL', distance_kind: 'km' }

/** The rule for trips on a day, `YYYY-MM-DD` or an instant in it: the latest that is valid by then. Supplement 3, "Distance rules". */
export function ruleOn<R extends { readonly valid_from: string | null }>(rules: readonly R[], day: string): R | undefined {
  const from = ({ valid_from }: R) => valid_from?.slice(0, 10) ?? ''
  return rules
    .filter((rule) => from(rule) <= day.slice(0, 10))
    .reduce<R | undefined>((latest, rule) => (latest && from(latest) >= from(rule) ? latest : rule), undefined)
}

/** The most decimals a rate has. Supplement 3, "Distance rates". */
export const rateDecimals = 6

/** The largest rate, in major units: a JSON number of this size still has six exact decimals. */
const maximumRate = 10n ** 9n

/** How many millionths of the major unit make a minor unit of the currency. */
function millionthsPerMinor(currency: string): bigint {
  return 10n ** BigInt(rateDecimals - exponentOf(currency))
}

function millionthsOf({ amount_minor, amount_millionths }: Rate, currency: string): bigint {
  return BigInt(amount_minor) * millionthsPerMinor(currency) + BigInt(amount_millionths)
}

/**
 * Parses a rate exactly, from a JSON number or decimal text.
 * @throws RangeError if the currency is unknown.
 */
export function parseRate(value: unknown, currency: string): ParsedRate {
  const decimal = parseDecimal(value)
  if (decimal === undefined) return { kind: 'not_a_number' }
  const { digits, scale, negative } = decimal
  if (negative || digits === '') return { kind: 'not_positive' }
  if (scale > rateDecimals) return { kind: 'too_precise' }
  if (digits.length - scale > String(maximumRate).length) return { kind: 'too_large' }
  const millionths = BigInt(digits) * 10n ** BigInt(rateDecimals - scale)
  if (millionths > maximumRate * 10n ** BigInt(rateDecimals)) return { kind: 'too_large' }
  const perMinor = millionthsPerMinor(currency)
  return { kind: 'ok', amount_minor: Number(millionths / perMinor), amount_millionths: Number(millionths % perMinor) }
}

/**
 * The JSON number of a rate, in major units.
 * @throws RangeError if the currency is unknown.
 */
export function fromRate(rule: Rate & { currency: string }): number {
  return Number(millionthsOf(rule, rule.currency)) / 10 ** rateDecimals
}

/**
 * A rate in the locale's notation, with the currency's code and at least its decimals.
 * @throws RangeError if the currency is unknown.
 */
export function formatRate({ amount, currency, locale }: { amount: number; currency: string; locale: string }): string {
  const [minimumFractionDigits, maximumFractionDigits] = [exponentOf(currency), rateDecimals]
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const
  return new Intl.NumberFormat(locale, { ...style, minimumFractionDigits, maximumFractionDigits }).format(amount)
}

/** A mile is exactly 1.609344 km. */
const millimetersPerUnit: Readonly<Record<DistanceKind, bigint>> = { km: 1_000_000n, mi: 1_609_344n }

/**
 * The amount for a distance by a rule, in minor units of the rule's currency, rounded half up once at the end; converts km and mi. Undefined if the
 * distance is negative or not a number, or the amount too large. Supplement 2, "Expenses": `kind`.
 */
export function distanceAmountMinor(distance: number, kind: DistanceKind, rule: DistanceRule): number | undefined {
  const decimal = parseDecimal(distance)
  if (decimal === undefined || decimal.negative) return undefined
  const { digits, scale } = decimal
  const price = millionthsOf(rule, rule.currency) * millimetersPerUnit[kind]
  const numerator = BigInt(digits) * price * 10n ** BigInt(Math.max(-scale, 0))
  const denominator = millimetersPerUnit[rule.distance_kind] * millionthsPerMinor(rule.currency) * 10n ** BigInt(Math.max(scale, 0))
  const amount = roundHalfUp(numerator, denominator)
  return amount <= BigInt(maximumMinor(rule.currency)) ? Number(amount) : undefined
}
