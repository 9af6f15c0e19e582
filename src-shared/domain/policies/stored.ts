import type { Flag, PolicyVersion } from '#shared/domain/policies'

type Measured = Pick<Flag, 'limit' | 'currency' | 'unit' | 'period'>

/** What a version measures by, as its findings say it; undefined where they say something of the expense instead. */
function measureOf(version: PolicyVersion): Measured | undefined {
  const { condition, amount_minor, currency, days, distance, distance_kind, period } = version
  const none: Measured = { limit: null, currency: null, unit: null, period: null }
  switch (condition) {
    case 'amount_over':
    case 'round_amount':
      return { ...none, limit: amount_minor, currency }
    case 'receipt_missing':
      return amount_minor === null ? none : { ...none, limit: amount_minor, currency }
    case 'sum_over':
      return { ...none, limit: amount_minor, currency, period }
    case 'distance_over':
      return { ...none, limit: distance, unit: distance_kind ?? 'km' }
    case 'distance_sum_over':
      return { ...none, limit: distance, unit: distance_kind ?? 'km', period }
    case 'older_than':
      return { ...none, limit: days }
    case 'invoice_date':
      return { ...none, limit: days ?? 0 }
    case 'invoice_total':
      return undefined
    default:
      return none
  }
}

/** Whether a stored finding is one that a version can give: its weight, its condition, its limit, and a value beyond that. */
export function canBeFoundBy(flag: Flag, version: PolicyVersion): boolean {
  if (flag.weight !== version.weight || flag.condition !== version.condition) return false
  const measure = measureOf(version)
  if (!measure) return true
  const { limit, currency, unit } = measure
  if (flag.limit !== limit || flag.currency !== currency || flag.unit !== unit || flag.period !== measure.period) return false
  return !flag.is_checked || limit === null || (flag.value !== null && flag.value > limit)
}

/** Whether two findings say the same, whichever version of the policy and however the claimant explains it. */
export function isSameFinding(one: Flag, other: Flag): boolean {
  const said = ['policy_id', 'weight', 'condition', 'is_checked', 'value', 'limit', 'currency', 'unit', 'period'] as const
  return said.every((name) => one[name] === other[name])
}
