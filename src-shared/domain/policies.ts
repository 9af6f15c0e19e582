import { type InvoiceFacts, daysFrom, namesOtherBuyer, totalOf } from '#shared/domain/policies/invoices'
import { fromMetres, toMetres } from '#shared/domain/policies/sums'
import {
  type FlagCondition,
  type PolicyCondition,
  type PolicyPeriod,
  type PolicyScope,
  type PolicyWeight,
  isMeasuredBy,
  policyScopes,
  policyWeights,
} from '#shared/domain/policies/terms'

/** Policies of an organization: what each finds about an expense. The same on every device, from stored values only. */

/** A version of a policy, which applies from a day on. Amounts in minor units. */
export interface PolicyVersion {
  /** From 1, increased with each change. */
  readonly number: number
  /** Earlier expenses (dated before this UTC instant) are judged by the version before; null: applies to all. */
  readonly holds_from: string | null
  readonly weight: PolicyWeight
  readonly condition: PolicyCondition
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly days: number | null
  readonly period: PolicyPeriod | null
  readonly distance: number | null
  readonly distance_kind: 'km' | 'mi' | null
  /** Holidays, `YYYY-MM-DD`. */
  readonly dates: readonly string[]
  /** The allowed buyers' tax numbers on invoices, with or without punctuation. */
  readonly tax_ids: readonly string[]
  /** Applies only to expenses with one of these tags, claimants, currencies and kinds; empty: all. */
  readonly tag_ids: readonly number[]
  readonly claimant_ids: readonly number[]
  readonly currencies: readonly string[]
  readonly kinds: readonly string[]
}

/** A policy with all its versions, oldest first. */
export interface Policy {
  readonly id: number
  readonly versions: readonly PolicyVersion[]
}

/** The values of an expense that policies check. Instants in UTC. */
export interface JudgedExpense {
  readonly occurred_at: string
  readonly created_at: string
  readonly receiver_id: number
  readonly kind: string
  readonly amount_minor: number
  readonly currency: string
  readonly approved_amount_currency: string | null
  readonly distance: number | null
  readonly distance_kind: 'km' | 'mi' | null
  readonly description: string | null
  readonly supplier_name: string | null
  readonly location: string | null
  readonly corporative_card_id: number | null
  readonly pre_expense_id: number | null
  /** When the card was charged, from its statement. */
  readonly paid_on: string | null
  readonly attachments_count: number
  /** The electronic invoices among its receipts that can be read here. */
  readonly invoices: readonly InvoiceFacts[]
  /** The claimant's reason for breaking a policy. */
  readonly justification: string | null
  readonly tag_ids: readonly number[]
  /**
   * For each policy that adds up: the total of the claimant's other expenses in the period, in minor units of its currency or in metres. Missing:
   * unknown here.
   */
  readonly others: ReadonlyMap<number, number>
}

/**
 * A finding of a policy's version. `value` and `limit`: minor units if there is a currency, a distance if there is a unit, otherwise days.
 * `is_checked`: false if the amount is in another currency than the limit, as amounts are never converted. `is_explained`: the claimant gave the
 * reason that the policy asks for. A repeat has no policy; its value is the number of other expenses.
 */
export interface Flag {
  readonly policy_id: number | null
  readonly version: number | null
  readonly weight: PolicyWeight
  readonly condition: FlagCondition
  readonly is_checked: boolean
  readonly is_explained: boolean
  readonly value: number | null
  readonly limit: number | null
  readonly currency: string | null
  readonly unit: 'km' | 'mi' | null
  readonly period: PolicyPeriod | null
}

/** The version of a policy for an expense of this date. */
export function versionAt({ versions }: Policy, occurred_at: string): PolicyVersion | undefined {
  return versions.findLast(({ holds_from }) => holds_from === null || holds_from <= occurred_at)
}

/** A policy without deleted tags. `isTag`: whether a tag with this id exists. */
export function withoutDeletedTags({ id, versions }: Policy, isTag: (id: number) => boolean): Policy {
  return {
    id,
    versions: versions.map((version) =>
      version.condition === 'tag_other' ? { ...version, tag_ids: version.tag_ids.filter(isTag) } : version,
    ),
  }
}

/** The finding that an expense may repeat this many others. */
export function repeatFlag(count: number): Flag {
  return { policy_id: null, version: null, weight: 'note', condition: 'repeat', is_explained: false, ...nothingMeasured, value: count }
}

/** The finding that the total of an expense's receipts differs from its amount. Minor units of its currency. */
export function receiptFlag({ read, claimed, currency }: { read: number; claimed: number; currency: string }): Flag {
  const measured = { value: read, limit: claimed, currency }
  return { ...repeatFlag(0), condition: 'receipt_total', ...measured }
}

/** The finding that more is claimed of card lines than they come to, or, `claimed` being null, that it is in a third currency. In minor units. */
export function lineFlag({ charged, claimed, currency }: { charged: number | null; claimed: number | null; currency: string }): Flag {
  return { ...repeatFlag(0), condition: 'card_line', is_checked: claimed !== null, value: charged, limit: claimed, currency }
}

/** The finding that this many electronic invoices among an expense's receipts were altered after signing. */
export function alteredFlag(count: number): Flag {
  return { ...repeatFlag(count), condition: 'invoice_altered' }
}

/** The findings of policies about an expense: most severe first, then in the order of policies. */
export function judge(policies: readonly Policy[], expense: JudgedExpense): Flag[] {
  const flags = policies.flatMap((policy) => {
    const version = versionAt(policy, expense.occurred_at)
    const found = version && isInScope(version, expense) ? find(version, expense, policy.id) : undefined
    if (!version || !found) return []
    const { number, weight, condition } = version
    const is_explained = weight === 'reason' && expense.justification !== null
    return [{ policy_id: policy.id, version: number, weight, condition, is_explained, ...nothingMeasured, ...found }]
  })
  return weightiestFirst(flags.sort((a, b) => a.policy_id - b.policy_id))
}

/** Findings by severity; equal ones stay in order. */
export function weightiestFirst(flags: readonly Flag[]): Flag[] {
  return flags.toSorted((a, b) => levelOf(b) - levelOf(a))
}

/** The severity of the most severe finding: 1 and up; null if there are none. */
export function flagLevel(flags: readonly Flag[]): number | null {
  const level = Math.max(0, ...flags.map(levelOf))
  return level === 0 ? null : level
}

/** The severity of a weight. */
export const levelOfWeight = (weight: PolicyWeight) => policyWeights.indexOf(weight) + 1

/** The severity that blocks approval. */
export const blockingLevel = levelOfWeight('block')

/** A finding that the claimant has explained counts as a note. */
function levelOf({ is_checked, is_explained, weight }: Flag): number {
  return is_checked ? levelOfWeight(is_explained ? 'note' : weight) : 0
}

type Measured = Pick<JudgedExpense, 'amount_minor' | 'currency' | 'distance' | 'distance_kind'>
type InScope = Pick<JudgedExpense, 'receiver_id' | 'currency' | 'kind' | 'tag_ids'>

const scopes: Readonly<Record<PolicyScope, (version: PolicyVersion, expense: InScope) => boolean>> = {
  tag_ids: ({ tag_ids }, expense) => tag_ids.length === 0 || hasOneOf(expense, tag_ids),
  claimant_ids: ({ claimant_ids }, { receiver_id }) => claimant_ids.length === 0 || claimant_ids.includes(receiver_id),
  currencies: ({ currencies }, { currency }) => currencies.length === 0 || currencies.includes(currency),
  kinds: ({ kinds }, { kind }) => kinds.length === 0 || kinds.includes(kind),
}

/** Whether a version applies to an expense. The values that its condition measures do not limit it. */
export function isInScope(version: PolicyVersion, expense: InScope): boolean {
  return policyScopes.every((scope) => isMeasuredBy(version.condition, scope) || scopes[scope](version, expense))
}

/** Whether an expense exceeds the limit of a version that adds up; `others`: the total of the others. */
export function isAboveLimit(version: PolicyVersion, expense: Measured, others: number): boolean {
  const found =
    version.condition === 'sum_over'
      ? findAbove(version, expense, others + expense.amount_minor)
      : findFarther(version, others + metresOf(expense))
  return found !== undefined && found.is_checked !== false
}

function hasOneOf(expense: InScope, tag_ids: readonly number[]): boolean {
  return tag_ids.some((id) => expense.tag_ids.includes(id))
}

const nothingMeasured = { is_checked: true, value: null, limit: null, currency: null, unit: null, period: null }
type Found = Partial<Pick<Flag, keyof typeof nothingMeasured>>

type Finding = (version: PolicyVersion, expense: JudgedExpense, policy_id: number) => Found | undefined

const when = (holds: (expense: JudgedExpense, version: PolicyVersion) => boolean): Finding => {
  const nothing: Found = {}
  return (version, expense) => (holds(expense, version) ? nothing : undefined)
}

const findings: Readonly<Record<PolicyCondition, Finding>> = {
  amount_over: (version, expense) => findAbove(version, expense, expense.amount_minor),
  sum_over: (version, expense, policy_id) => {
    const others = expense.others.get(policy_id)
    const found = others === undefined ? undefined : findAbove(version, expense, others + expense.amount_minor)
    return found && { ...found, period: version.period }
  },
  // In every currency: an amount whose last three digits, in minor units, are zeros.
  round_amount: (version, expense) => (expense.amount_minor % 1000 === 0 ? findAbove(version, expense, expense.amount_minor) : undefined),
  receipt_missing: (version, expense) => {
    if (expense.attachments_count > 0) return undefined
    return version.amount_minor === null ? {} : findAbove(version, expense, expense.amount_minor)
  },
  tag_missing: when(({ tag_ids }) => tag_ids.length === 0),
  // If all of them were deleted, no expense can have one.
  tag_other: when((expense, { tag_ids }) => tag_ids.length > 0 && !hasOneOf(expense, tag_ids)),
  tag_not_allowed: when((expense, { tag_ids, claimant_ids }) => hasOneOf(expense, tag_ids) && !claimant_ids.includes(expense.receiver_id)),
  description_missing: when(({ description }) => description === null),
  supplier_missing: when(({ supplier_name }) => supplier_name === null),
  location_missing: when(({ location }) => location === null),
  older_than: ({ days: limit }, expense) => {
    const value = wholeDays(expense)
    return value > (limit ?? 0) ? { value, limit } : undefined
  },
  in_future: when((expense) => wholeDays(expense) < 0),
  on_weekend: when(({ occurred_at }) => [0, 6].includes(new Date(occurred_at).getUTCDay())),
  on_holiday: when(({ occurred_at }, { dates }) => dates.includes(occurred_at.slice(0, 10))),
  currency_other: when(({ currency }, { currencies }) => !currencies.includes(currency)),
  distance_over: (version, expense) => findFarther(version, metresOf(expense)),
  distance_sum_over: (version, expense, policy_id) => {
    const others = expense.others.get(policy_id)
    const found = others === undefined ? undefined : findFarther(version, others + metresOf(expense))
    return found && { ...found, period: version.period }
  },
  // An expense with a statement line, or made from a line's pre-expense, has the line's day of payment.
  card_unmatched: when(
    ({ corporative_card_id, pre_expense_id, paid_on }) => corporative_card_id !== null && pre_expense_id === null && paid_on === null,
  ),
  approved_in_other_currency: when(({ currency, approved_amount_currency: approved }) => approved !== null && approved !== currency),
  invoice_total: (_version, { invoices, amount_minor, currency }) => {
    const total = totalOf(invoices)
    if (total === undefined) return undefined
    const value = total.minor
    if (currency !== total.currency) return { is_checked: false, limit: value, currency: total.currency }
    return value === amount_minor ? undefined : { value, limit: amount_minor, currency }
  },
  invoice_date: ({ days }, { invoices, occurred_at }) => {
    const [value, limit] = [daysFrom(invoices, occurred_at.slice(0, 10)), days ?? 0]
    return value > limit ? { value, limit } : undefined
  },
  invoice_buyer: when(({ invoices }, { tax_ids }) => namesOtherBuyer(invoices, tax_ids)),
}

function find(version: PolicyVersion, expense: JudgedExpense, policy_id: number): Found | undefined {
  return findings[version.condition](version, expense, policy_id)
}

function findAbove(
  { amount_minor: limit, currency }: PolicyVersion,
  expense: Pick<Measured, 'currency'>,
  value: number,
): Found | undefined {
  if (expense.currency !== currency) return { is_checked: false, limit, currency }
  return value > (limit ?? 0) ? { value, limit, currency } : undefined
}

function metresOf({ distance, distance_kind }: Pick<Measured, 'distance' | 'distance_kind'>): number {
  return distance === null ? 0 : toMetres(distance, distance_kind ?? 'km')
}

function findFarther({ distance: limit, distance_kind }: PolicyVersion, metres: number): Found | undefined {
  const unit = distance_kind ?? 'km'
  return metres > toMetres(limit ?? 0, unit) ? { value: fromMetres(metres, unit), limit, unit } : undefined
}

const dayMs = 86_400_000

/** How many days after its date an expense was recorded; negative if before. */
function wholeDays({ occurred_at, created_at }: JudgedExpense): number {
  return Math.floor((Date.parse(created_at) - Date.parse(occurred_at)) / dayMs)
}
