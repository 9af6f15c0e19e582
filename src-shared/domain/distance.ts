import { parseDecimal } from './decimal'
import { maximumMinor } from './money'

/** The units in which distances are measured and priced. Contract 2.15. */
export const distanceKinds = ['km', 'mi'] as const

/** Kilometre or mile. */
export type DistanceKind = (typeof distanceKinds)[number]

/** What an organization pays per unit of distance: `amount_minor` minor units of `currency` per one `distance_kind`. Contract 2.15. */
export type DistanceRule = { amount_minor: number; currency: string; distance_kind: DistanceKind }

/** The rule of an organization that has set none: 1.00 BRL per km. Supplement 3, "Distance rule". */
export const defaultDistanceRule: DistanceRule = { amount_minor: 100, currency: 'BRL', distance_kind: 'km' }

/** A mile is exactly 1.609344 km. */
const millimetersPerUnit: Readonly<Record<DistanceKind, bigint>> = { km: 1_000_000n, mi: 1_609_344n }

/**
 * What a distance is worth by the rule, in minor units of the rule's currency, rounded half up once at the end; km and mi are
 * converted. Undefined when the distance is negative or no number, or the amount too large. Supplement 2, "Expenses": `kind`.
 */
export function distanceAmountMinor(distance: number, kind: DistanceKind, rule: DistanceRule): number | undefined {
  const decimal = parseDecimal(distance)
  if (decimal === undefined || decimal.negative) return undefined
  const { digits, scale } = decimal
  const price = BigInt(rule.amount_minor) * millimetersPerUnit[kind]
  const numerator = BigInt(digits) * price * 10n ** BigInt(Math.max(-scale, 0))
  const denominator = millimetersPerUnit[rule.distance_kind] * 10n ** BigInt(Math.max(scale, 0))
  const amount = (2n * numerator + denominator) / (2n * denominator)
  return amount <= BigInt(maximumMinor(rule.currency)) ? Number(amount) : undefined
}
