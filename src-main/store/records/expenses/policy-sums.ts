import { type Expression, type QueryCreator, sql } from 'kysely'
import type { Schema } from '#db/schema'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import { type JudgedExpense, type Policy, type PolicyVersion, isAboveLimit, isInScope, versionAt } from '#shared/domain/policies'
import { type Span, spanOf } from '#shared/domain/policies/sums'
import type { PolicyPeriod } from '#shared/domain/policies/terms'
import { listed, listedTexts } from '../../core/dialect'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** Which expenses are added up: lists as JSON, empty texts for all. */
interface Added {
  readonly payer_id: number
  readonly from: string
  readonly to: string
  readonly tag_ids: string
  readonly currencies: string
  readonly kinds: string
}
interface Sum {
  readonly minor: number
  readonly metres: number
}

const orEmpty = (list: Expression<unknown>) => sql`case when ${list} = '' then '[]' else ${list} end`

const isIn = (value: Expression<unknown>, list: Expression<unknown>) =>
  sql<boolean>`(${list} = '' or ${value} in (${listedTexts(orEmpty(list))}))`

/** The total of expenses, with each condition as an expression of the surrounding query. */
export function selectSums(db: QueryCreator<Schema>, added: { readonly [K in keyof Added]: Expression<unknown> }) {
  return db
    .selectFrom('expenses as other')
    .select([
      sql<number>`coalesce(sum(other.amount_minor), 0)`.as('minor'),
      sql<number>`coalesce(sum(round(other.distance * case when other.distance_kind = 'mi' then 1609.344 else 1000 end)), 0)`.as('metres'),
    ])
    .where('other.payer_id', '=', sql<number>`${added.payer_id}`)
    .where(sql<boolean>`other.occurred_at >= ${added.from} and other.occurred_at < ${added.to}`)
    .where('other.deleted_at', 'is', null)
    .where('other.status', '!=', sql.lit('rejected'))
    .where(isIn(sql.ref('other.currency'), added.currencies))
    .where(isIn(sql.ref('other.kind'), added.kinds))
    .where(
      sql<boolean>`(${added.tag_ids} = '' or exists (select 1 from expense_tags where expense_id = other.id
        and tag_id in (${listed(orEmpty(added.tag_ids))})))`,
    )
}

/** The total of one claimant's expenses, without one of them. */
const addUp = statement<Added & { readonly receiver_id: number; readonly except_id: number }, Sum>((db, p) => {
  const place = <K extends keyof Added>(name: K) => sql`${p(name)}`
  return selectSums(db, {
    payer_id: place('payer_id'),
    from: place('from'),
    to: place('to'),
    tag_ids: place('tag_ids'),
    currencies: place('currencies'),
    kinds: place('kinds'),
  })
    .where('other.receiver_id', '=', p('receiver_id'))
    .where('other.id', '!=', p('except_id'))
})

/** The claimant's expenses that a version adds up: JSON lists, empty for all. */
export function addedScope(version: PolicyVersion): Pick<Added, 'tag_ids' | 'currencies' | 'kinds'> {
  const listOf = (values: readonly unknown[]) => (values.length === 0 ? '' : JSON.stringify(values))
  return {
    tag_ids: listOf(version.tag_ids),
    currencies: listOf(version.condition === 'sum_over' ? [version.currency] : version.currencies),
    kinds: listOf(version.kinds),
  }
}

type Adding = Parameters<typeof isInScope>[1] & { readonly id: number; readonly payer_id: number; readonly occurred_at: string }
/** An expense before or after a change, with what it adds to a sum. */
export type Counted = Adding & Pick<JudgedExpense, 'amount_minor' | 'distance' | 'distance_kind'> & { readonly status: ExpenseStatus }

/** Whether a version adds up expenses. */
export function adds({ condition }: PolicyVersion): boolean {
  return condition === 'sum_over' || condition === 'distance_sum_over'
}

/** The day, week and month of an expense, each computed once. */
function spansOf({ occurred_at }: Pick<Adding, 'occurred_at'>): (period: PolicyPeriod) => Span {
  const spans = new Map<PolicyPeriod, Span>()
  return (period) => {
    const span = spans.get(period) ?? spanOf(period, occurred_at)
    spans.set(period, span)
    return span
  }
}

type Adder = (version: PolicyVersion) => Promise<number>

/**
 * Makes a function that adds up the other expenses for a version, in minor units of the currency or in metres. Each sum is read once, although many
 * policies add up the same expenses for different limits.
 */
function createAdder(reader: Reader, { payer_id, receiver_id, id }: Adding, spanIn: ReturnType<typeof spansOf>): Adder {
  const sums = new Map<string, Promise<Sum | undefined>>()
  return async (version) => {
    if (version.period === null) return 0
    const scope = addedScope(version)
    const key = [version.period, scope.tag_ids, scope.currencies, scope.kinds].join(' ')
    const known = sums.get(key)
    const sum = known ?? reader.first(addUp, { payer_id, receiver_id, except_id: id, ...spanIn(version.period), ...scope })
    if (!known) sums.set(key, sum)
    return (version.condition === 'sum_over' ? (await sum)?.minor : (await sum)?.metres) ?? 0
  }
}

/**
 * For each policy that adds up and applies to this expense: the total of the claimant's other expenses of the period, in minor units of its currency
 * or in metres, without rejected ones. `id`: 0 for an expense that is not stored yet.
 */
export async function readOtherSums(reader: Reader, policies: readonly Policy[], expense: Adding): Promise<Map<number, number>> {
  const sums = new Map<number, number>()
  const addOthers = createAdder(reader, expense, spansOf(expense))
  for (const policy of policies) {
    const version = versionAt(policy, expense.occurred_at)
    if (!version || !adds(version) || version.period === null || !isInScope(version, expense)) continue
    sums.set(policy.id, await addOthers(version))
  }
  return sums
}

/**
 * The dates of the expenses whose findings may depend on this one: the periods in which it exceeds a limit with others. Undefined if there is none,
 * or if it does not count.
 */
export async function findExceededSpan(reader: Reader, policies: readonly Policy[], expense: Counted): Promise<Span | undefined> {
  if (expense.status === 'rejected') return undefined
  const periods = new Set<PolicyPeriod>()
  const spanIn = spansOf(expense)
  const addOthers = createAdder(reader, expense, spanIn)
  for (const version of policies.flatMap((policy) => addingVersions(policy, spanIn))) {
    const { period } = version
    if (period === null || periods.has(period) || !isInScope(version, expense)) continue
    if (isAboveLimit(version, expense, await addOthers(version))) periods.add(period)
  }
  const spans = [...periods].map(spanIn)
  const [from] = spans.map((span) => span.from).toSorted()
  const to = spans
    .map((span) => span.to)
    .toSorted()
    .at(-1)
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** The versions of a policy that add up and may apply to an expense of the same period. */
function addingVersions({ versions }: Policy, spanIn: (period: PolicyPeriod) => Span): PolicyVersion[] {
  return versions.filter((version, index) => {
    if (!adds(version) || version.period === null) return false
    const { from, to } = spanIn(version.period)
    const isReplaced = versions.slice(index + 1).some(({ holds_from }) => holds_from === null || holds_from <= from)
    return !isReplaced && (version.holds_from === null || version.holds_from < to)
  })
}

/** Whether a change of an expense changes its contribution to sums. */
export function isAddedOtherwise<T extends AddedColumns>(before: T, after: T): boolean {
  return (before.status === 'rejected') !== (after.status === 'rejected') || addedColumns.some((column) => before[column] !== after[column])
}

const addedColumns = ['payer_id', 'receiver_id', 'occurred_at', 'amount_minor', 'currency', 'kind', 'distance', 'distance_kind'] as const
type AddedColumns = Readonly<Record<(typeof addedColumns)[number], string | number | null>> & { readonly status: ExpenseStatus }
