import type { Row } from '#db/schema'
import { defaultDistanceRule, distanceAmountMinor } from '#shared/domain/distance'
import { invalid } from '#shared/domain/errors'
import { toScaled } from '#shared/domain/money'
import { findDistanceRule } from '#main/store/records/organizations/distance-rules'
import type { Tx } from '#main/store/core/store'

/** The amount of a distance expense by its organization's rule for its day, rounded half up to the minor unit (supplement 2, "Expenses"). */
export async function priceDistance(
  tx: Tx,
  payer_id: number,
  { distance, distance_kind, occurred_at }: Pick<Row<'expenses'>, 'distance' | 'distance_kind' | 'occurred_at'>,
): Promise<{ amount_minor: number; amount_scaled: number; currency: string }> {
  const rule = (await findDistanceRule(tx, payer_id, occurred_at)) ?? defaultDistanceRule
  if (distance === null) throw invalid('distance', 'blank')
  if (distance <= 0) throw invalid('distance', 'greater_than', { limit: 0 })
  const amount_minor = distanceAmountMinor(distance, distance_kind ?? rule.distance_kind, rule)
  if (amount_minor === undefined) throw invalid('distance', 'too_large')
  if (amount_minor === 0) throw invalid('distance', 'greater_than', { limit: 0 })
  return { amount_minor, amount_scaled: toScaled(amount_minor, rule.currency), currency: rule.currency }
}
