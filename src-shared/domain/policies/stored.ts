import type { Flag, JudgedExpense, PolicyVersion } from '#shared/domain/policies'
import { toMetres } from '#shared/domain/policies/sums'
import { isMeasuredBy, isOfInvoices } from '#shared/domain/policies/terms'

type Measured = Pick<Flag, 'limit' | 'currency' | 'unit' | 'period'>

/** The measured values of a version, for comparison with its findings; undefined if its findings show values of the expense instead. */
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

/** Whether a stored finding matches a version: in weight, condition and limit, with a value beyond the limit. */
export function canBeFoundBy(flag: Flag, version: PolicyVersion): boolean {
  if (flag.weight !== version.weight || flag.condition !== version.condition) return false
  const measure = measureOf(version)
  if (!measure) return true
  const { limit, currency, unit } = measure
  if (flag.limit !== limit || flag.currency !== currency || flag.unit !== unit || flag.period !== measure.period) return false
  return !flag.is_checked || limit === null || (flag.value !== null && flag.value > limit)
}

/** Whether two findings are the same, ignoring the version and the claimant's reason. */
export function isSameFinding(one: Flag, other: Flag): boolean {
  const said = ['policy_id', 'weight', 'condition', 'is_checked', 'value', 'limit', 'currency', 'unit', 'period'] as const
  return said.every((name) => one[name] === other[name])
}

/**
 * Whether a decided expense that has not changed can be judged again by a version: not with facts known only later, such as a statement line or an
 * invoice's data. `knowsTags`: no tag was deleted since; `knowsApproval`: the approved currency is the decision's.
 */
export function isJudgedAgain(version: PolicyVersion, known: { knowsTags: boolean; knowsApproval: boolean }): boolean {
  const { condition, tag_ids } = version
  if (condition === 'card_unmatched' || isOfInvoices(condition)) return false
  if (condition === 'approved_in_other_currency' && !known.knowsApproval) return false
  return known.knowsTags || (condition !== 'tag_missing' && !isMeasuredBy(condition, 'tag_ids') && tag_ids.length === 0)
}

/** The total of the other expenses in a sum's finding, in minor units or metres; 0 for other findings, and unchecked ones. */
export function othersIn(
  { condition, value, unit }: Pick<Flag, 'condition' | 'value' | 'unit'>,
  { amount_minor, distance, distance_kind }: Pick<JudgedExpense, 'amount_minor' | 'distance' | 'distance_kind'>,
): number {
  if (value === null) return 0
  if (condition === 'sum_over') return value - amount_minor
  if (condition !== 'distance_sum_over') return 0
  return toMetres(value, unit ?? 'km') - (distance === null ? 0 : toMetres(distance, distance_kind ?? 'km'))
}
