/** Policies of an organization: what each one finds against an expense. The same on every device, from stored values alone. */

/** How much a finding weighs: it is shown, or it keeps the expense from being approved until someone tolerates it. */
export const policyWeights = ['note', 'block'] as const
export type PolicyWeight = (typeof policyWeights)[number]

/** What a policy looks for. */
export const policyConditions = [
  'amount_over',
  'receipt_missing',
  'tag_missing',
  'description_missing',
  'supplier_missing',
  'location_missing',
  'older_than',
  'in_future',
  'currency_other',
] as const
export type PolicyCondition = (typeof policyConditions)[number]

/** What a finding is about: a condition of a policy, or that an expense repeats another, which no policy asks for. */
export const flagConditions = [...policyConditions, 'repeat'] as const
export type FlagCondition = (typeof flagConditions)[number]

/** What conditions are measured by. */
export const policyTerms = ['amount', 'currency', 'days'] as const
export type PolicyTerm = (typeof policyTerms)[number]

/** The attributes of a policy that a condition cannot do without, and those that it may have. */
export const policyNeeds: Readonly<
  Record<PolicyCondition, { readonly needs: readonly PolicyTerm[]; readonly takes: readonly PolicyTerm[] }>
> = {
  amount_over: { needs: ['amount', 'currency'], takes: [] },
  receipt_missing: { needs: [], takes: ['amount', 'currency'] },
  tag_missing: { needs: [], takes: [] },
  description_missing: { needs: [], takes: [] },
  supplier_missing: { needs: [], takes: [] },
  location_missing: { needs: [], takes: [] },
  older_than: { needs: ['days'], takes: [] },
  in_future: { needs: [], takes: [] },
  currency_other: { needs: ['currency'], takes: [] },
}

/** What a policy said from a day on. Amounts in minor units. */
export interface PolicyVersion {
  /** From 1, one more with each change. */
  readonly number: number
  /** Expenses dated before this UTC instant are judged by the version before; null: all. */
  readonly holds_from: string | null
  readonly weight: PolicyWeight
  readonly condition: PolicyCondition
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly days: number | null
  /** Only expenses with this tag; null: all. */
  readonly tag_id: number | null
}

/** A policy with all that it has said, oldest first. */
export interface Policy {
  readonly id: number
  readonly versions: readonly PolicyVersion[]
}

/** What of an expense policies look at. Instants in UTC. */
export interface JudgedExpense {
  readonly occurred_at: string
  readonly created_at: string
  readonly amount_minor: number
  readonly currency: string
  readonly description: string | null
  readonly supplier_name: string | null
  readonly location: string | null
  readonly attachments_count: number
  readonly tag_ids: readonly number[]
}

/**
 * What a version of a policy finds. `value` and `limit`: minor units where there is a currency, else days. `is_checked`: false where the
 * amount is in another currency than the limit, which is never converted. A repeat has no policy; its value is how many others there are.
 */
export interface Flag {
  readonly policy_id: number | null
  readonly version: number | null
  readonly weight: PolicyWeight
  readonly condition: FlagCondition
  readonly is_checked: boolean
  readonly value: number | null
  readonly limit: number | null
  readonly currency: string | null
}

/** That an expense may repeat others: so many of them. */
export function repeatFlag(count: number): Flag {
  return { policy_id: null, version: null, weight: 'note', condition: 'repeat', ...nothingMeasured, value: count }
}

/** What policies find against an expense: the weightiest first, then in the order of the policies. */
export function judge(policies: readonly Policy[], expense: JudgedExpense): Flag[] {
  const flags = policies.flatMap(({ id, versions }) => {
    const version = versions.findLast(({ holds_from }) => holds_from === null || holds_from <= expense.occurred_at)
    const found =
      version && (version.tag_id === null || expense.tag_ids.includes(version.tag_id)) ? find(version, expense) : undefined
    if (!version || !found) return []
    const { number, weight, condition } = version
    return [{ policy_id: id, version: number, weight, condition, ...nothingMeasured, ...found }]
  })
  return weightiestFirst(flags.sort((a, b) => a.policy_id - b.policy_id))
}

/** Findings by weight; those of equal weight stay in their order. */
export function weightiestFirst(flags: readonly Flag[]): Flag[] {
  return flags.toSorted((a, b) => levelOf(b) - levelOf(a))
}

/** How much the weightiest of some flags weighs: 1 and up; null where nothing was found. */
export function flagLevel(flags: readonly Flag[]): number | null {
  const level = Math.max(0, ...flags.map(levelOf))
  return level === 0 ? null : level
}

/** The level of flags that keep an expense from being approved. */
export const blockingLevel = policyWeights.indexOf('block') + 1

function levelOf({ is_checked, weight }: Flag): number {
  return is_checked ? policyWeights.indexOf(weight) + 1 : 0
}

const nothingMeasured = { is_checked: true, value: null, limit: null, currency: null }
type Found = Partial<Pick<Flag, 'is_checked' | 'value' | 'limit' | 'currency'>>

function find(version: PolicyVersion, expense: JudgedExpense): Found | undefined {
  switch (version.condition) {
    case 'amount_over':
      return findAbove(version, expense)
    case 'receipt_missing':
      if (expense.attachments_count > 0) return undefined
      return version.amount_minor === null ? {} : findAbove(version, expense)
    case 'tag_missing':
      return expense.tag_ids.length === 0 ? {} : undefined
    case 'description_missing':
      return expense.description === null ? {} : undefined
    case 'supplier_missing':
      return expense.supplier_name === null ? {} : undefined
    case 'location_missing':
      return expense.location === null ? {} : undefined
    case 'older_than': {
      const value = wholeDays(expense)
      return value > (version.days ?? 0) ? { value, limit: version.days } : undefined
    }
    case 'in_future':
      return wholeDays(expense) < 0 ? {} : undefined
    case 'currency_other':
      return expense.currency === version.currency ? undefined : {}
  }
}

function findAbove({ amount_minor: limit, currency }: PolicyVersion, expense: JudgedExpense): Found | undefined {
  if (expense.currency !== currency) return { is_checked: false, limit, currency }
  return expense.amount_minor > (limit ?? 0) ? { value: expense.amount_minor, limit, currency } : undefined
}

const dayMs = 86_400_000

/** How many days after its date an expense was recorded; below zero, before it. */
function wholeDays({ occurred_at, created_at }: JudgedExpense): number {
  return Math.floor((Date.parse(created_at) - Date.parse(occurred_at)) / dayMs)
}
