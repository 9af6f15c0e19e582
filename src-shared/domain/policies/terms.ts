/** The conditions of policies, and what each measures. */

/**
 * The weight of a finding: `note`, it is shown; `reason`, the claimant must explain it; `block`, the expense cannot be approved until someone
 * tolerates it.
 */
export const policyWeights = ['note', 'reason', 'block'] as const
export type PolicyWeight = (typeof policyWeights)[number]

/** The conditions of policies. */
export const policyConditions = [
  'amount_over',
  'sum_over',
  'round_amount',
  'receipt_missing',
  'tag_missing',
  'tag_other',
  'tag_not_allowed',
  'description_missing',
  'supplier_missing',
  'location_missing',
  'older_than',
  'in_future',
  'on_weekend',
  'on_holiday',
  'currency_other',
  'distance_over',
  'distance_sum_over',
  'card_unmatched',
  'approved_in_other_currency',
  'invoice_total',
  'invoice_date',
  'invoice_buyer',
] as const
export type PolicyCondition = (typeof policyConditions)[number]

/**
 * The kinds of findings: conditions of policies, and findings without a policy: repeats, receipts with another total, card lines with less than is
 * claimed of them, and electronic invoices altered after signing.
 */
export const flagConditions = [...policyConditions, 'repeat', 'receipt_total', 'card_line', 'invoice_altered'] as const
export type FlagCondition = (typeof flagConditions)[number]

/** Whether a finding comes from a policy. */
export function isOfPolicy(condition: FlagCondition): condition is PolicyCondition {
  return policyConditions.some((one) => one === condition)
}

/** The periods for adding up: days, weeks (from Monday) and months, in UTC. */
export const policyPeriods = ['day', 'week', 'month'] as const
export type PolicyPeriod = (typeof policyPeriods)[number]

/** The kinds of expense. */
export const expenseKinds = ['monetary', 'distance'] as const

/** Which expenses a policy applies to; a condition may measure one of them instead. */
export const policyScopes = ['tag_ids', 'claimant_ids', 'currencies', 'kinds'] as const
export type PolicyScope = (typeof policyScopes)[number]

/** The values that conditions measure. */
export const policyTerms = ['amount', 'currency', 'days', 'period', 'distance', 'distance_kind', 'dates', 'tax_ids'] as const
export type PolicyTerm = (typeof policyTerms)[number]

/** The values that a condition requires, and optional ones, given together or not at all. */
export interface PolicyNeeds {
  readonly needs: ReadonlyArray<PolicyTerm | PolicyScope>
  readonly takes: readonly PolicyTerm[]
}

const money = ['amount', 'currency'] as const
const distance = ['distance', 'distance_kind'] as const
const nothing: PolicyNeeds = { needs: [], takes: [] }

/** The values of each condition. */
export const policyNeeds: Readonly<Record<PolicyCondition, PolicyNeeds>> = {
  amount_over: { needs: money, takes: [] },
  sum_over: { needs: [...money, 'period'], takes: [] },
  round_amount: { needs: money, takes: [] },
  receipt_missing: { needs: [], takes: money },
  tag_missing: nothing,
  tag_other: { needs: ['tag_ids'], takes: [] },
  tag_not_allowed: { needs: ['tag_ids', 'claimant_ids'], takes: [] },
  description_missing: nothing,
  supplier_missing: nothing,
  location_missing: nothing,
  older_than: { needs: ['days'], takes: [] },
  in_future: nothing,
  on_weekend: nothing,
  on_holiday: { needs: ['dates'], takes: [] },
  currency_other: { needs: ['currencies'], takes: [] },
  distance_over: { needs: distance, takes: [] },
  distance_sum_over: { needs: [...distance, 'period'], takes: [] },
  card_unmatched: nothing,
  approved_in_other_currency: nothing,
  invoice_total: nothing,
  invoice_date: { needs: [], takes: ['days'] },
  invoice_buyer: { needs: ['tax_ids'], takes: [] },
}

/** Whether a condition measures a term or scope. */
export function isMeasuredBy(condition: PolicyCondition, name: PolicyTerm | PolicyScope): boolean {
  const { needs, takes } = policyNeeds[condition]
  return needs.includes(name) || takes.some((term) => term === name)
}

/** Whether a condition compares the expense with its electronic invoices. */
export function isOfInvoices(condition: PolicyCondition): boolean {
  return condition === 'invoice_total' || condition === 'invoice_date' || condition === 'invoice_buyer'
}

/** The parts of a policy that may contradict each other. */
export interface SaidPolicy {
  readonly condition: PolicyCondition
  readonly currency: string | null
  readonly tag_ids: readonly number[]
  readonly currencies: readonly string[]
  readonly kinds: readonly string[]
}

/** The scope for which a policy could never find anything; undefined if there is none. */
export function findContradiction({ condition, currency, tag_ids, currencies, kinds }: SaidPolicy): PolicyScope | undefined {
  // An expense that was selected by a tag has one.
  if (condition === 'tag_missing' && tag_ids.length > 0) return 'tag_ids'
  const isLimited = isMeasuredBy(condition, 'currency') && currency !== null
  if (isLimited && currencies.length > 0 && !currencies.includes(currency)) return 'currencies'
  const isOfDistance = condition === 'distance_over' || condition === 'distance_sum_over'
  return isOfDistance && kinds.length > 0 && !kinds.includes('distance') ? 'kinds' : undefined
}
