import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListFilter } from '#shared/contract/filters'
import { type ReportDimension, ageStarts, daysBefore, openStatuses } from '#shared/domain/reports/reports'
import { elementsOf, perDialect } from '../../core/dialect'
import type { Reader } from '../../core/store'
import { conditionsFor } from './expense-reader'
import { countedCurrency, findings, isFirstFinding } from './flag-filters'
import { supplierKey, supplierParts } from './supplier-key'

/** Expenses of one group, month, day and currency. `month` and `day` are null if not requested. A supplier has a cell for each `spelling`. */
export interface SpendingCell {
  readonly key: string | number | null
  readonly spelling: string | null
  readonly month: string | null
  readonly day: string | null
  readonly currency: string
  readonly count: number
  readonly amount_minor: number
}

/** What to add up. `home`: the currency whose amounts need no day, as nothing converts them; undefined if all need one. */
export interface SpendingQuery {
  readonly group_by: ReportDimension
  readonly by_month: boolean
  readonly home: string | undefined
  readonly today: string
}

/** The groups of a list, and its totals: an expense with two tags counts in two groups and once in the total. */
export interface Spending {
  readonly cells: readonly SpendingCell[]
  readonly totals: readonly SpendingCell[]
}

const month = sql<string>`substr(expenses.occurred_at, 1, 7)`
const counted = sql<number>`coalesce(expenses.approved_amount_minor, expenses.amount_minor)`
const isOpen = sql<SqlBool>`expenses.status in (${sql.join(openStatuses.map((status) => sql.lit(status)))})`
const isFirstOfPolicy = sql<SqlBool>`found.value ->> 'policy_id' is not null and found.key = (select min(other.key)
  from ${elementsOf('expenses.flags', 'other')} where other.value ->> 'policy_id' = found.value ->> 'policy_id')`

const keys: Readonly<Record<Exclude<ReportDimension, 'age'>, RawBuilder<unknown>>> = {
  month,
  tag: sql.ref('expense_tags.tag_id'),
  receiver: sql.ref('expenses.receiver_id'),
  supplier: supplierKey,
  status: sql.ref('expenses.status'),
  card: sql.ref('expenses.corporative_card_id'),
  currency: sql.ref('expenses.currency'),
  flag: sql`found.value ->> 'condition'`,
  policy: sql`cast(found.value ->> 'policy_id' as bigint)`,
}

/** The number of an expense's age group. */
function ageKey(today: string): RawBuilder<unknown> {
  const older = ageStarts.map((days, index) => ({ index, before: daysBefore(today, days - 1) })).slice(1)
  const cases = older.toReversed().map(({ index, before }) => sql`when expenses.occurred_at < ${before} then ${sql.lit(index)}`)
  return sql`case ${sql.join(cases, sql` `)} else 0 end`
}

/** Dimensions that put an expense into several groups, or none: totals must be added up separately. */
const overlapping: readonly ReportDimension[] = ['tag', 'flag', 'policy']

function toQuery(
  { db }: Reader,
  where: RawBuilder<SqlBool>,
  { group_by, by_month, home, today, isTotal }: SpendingQuery & { isTotal: boolean },
): CompiledQuery<SpendingCell> {
  const nothing = sql<null>`null`
  const key = isTotal ? nothing : group_by === 'age' ? ageKey(today) : keys[group_by]
  const shown = by_month && !isTotal ? month : nothing
  const day =
    home === undefined ? nothing : sql`case when ${countedCurrency} = ${home} then null else substr(expenses.occurred_at, 1, 10) end`
  // Sorting rows into groups takes most of the time, so they are sorted by months first, which are nearly in order, and by nothing that is always
  // null.
  const isSpelled = !isTotal && group_by === 'supplier'
  const ofKey = isSpelled ? supplierParts : key === nothing ? [] : [sql.lit(1)]
  const grouped = [...(shown === nothing ? [] : [sql.lit(2)]), ...ofKey, sql.lit(4), ...(day === nothing ? [] : [sql.lit(3)])]
  let rows = db.selectFrom('expenses')
  if (!isTotal && group_by === 'tag')
    rows = rows.leftJoin('expense_tags', (join) =>
      join
        .onRef('expense_tags.expense_id', '=', 'expenses.id')
        .on(sql<SqlBool>`expense_tags.tag_id not in (select id from tags where deleted_at is not null)`),
    )
  if (!isTotal && group_by === 'flag') rows = rows.innerJoin(findings, (join) => join.on(isFirstFinding))
  if (!isTotal && group_by === 'policy') rows = rows.innerJoin(findings, (join) => join.on(isFirstOfPolicy))
  return rows
    .select([
      sql<string | number | null>`${key}`.as('key'),
      sql<string | null>`${shown}`.as('month'),
      sql<string | null>`${day}`.as('day'),
      countedCurrency.as('currency'),
      sql<number>`count(*)`.as('count'),
      sql<number>`sum(${counted})`.as('amount_minor'),
      sql<string | null>`${isSpelled ? sql.ref('expenses.supplier_name') : nothing}`.as('spelling'),
    ])
    .where(where)
    .where(group_by === 'age' ? isOpen : sql<SqlBool>`1 = 1`)
    .groupBy(sql.join(grouped))
    .compile()
}

/** The spending of lists of expenses that a user may see, all read at one moment by another process; kept until the next commit. */
export async function readSpending(
  reader: Reader,
  user_id: number,
  { filters, ...asked }: SpendingQuery & { filters: readonly ListFilter[] },
): Promise<Spending[]> {
  const wheres = await Promise.all(filters.map((filter) => conditionsFor(reader, user_id, filter)))
  const parts = overlapping.includes(asked.group_by) ? [false, true] : [false]
  const queries = wheres.flatMap((where) => parts.map((isTotal) => toQuery(reader, where, { ...asked, isTotal })))
  const read = await reader.readApart(queries, { user_id })
  return filters.map((_filter, index) => {
    const [cells = [], totals = cells] = read.slice(index * parts.length, (index + 1) * parts.length)
    return { cells, totals }
  })
}

/** How long steps of expenses took, in seconds: for each step the count, the median and the 90th percentile. */
export interface StepTimes {
  readonly step: 'approval' | 'settlement' | 'whole'
  readonly count: number
  readonly median_s: number
  readonly p90_s: number
}

const movedTo = (status: 'approved' | 'liquidated') => sql<string | null>`(select max(activities.occurred_at) from activities
  where activities.subject_type = 'Expense' and activities.subject_id = expenses.id and activities.event = 'expense_status_changed'
  and exists (select 1 from ${elementsOf('activities.details', 'detail')}
    where detail.value ->> 'attribute' = 'status' and detail.value ->> 'to' = ${sql.lit(status)}))`

/** The times of approved or settled expenses that a user may see and that match each filter: of the last move to each status. */
export async function readTimes(reader: Reader, user_id: number, filters: readonly ListFilter[]): Promise<StepTimes[][]> {
  const wheres = await Promise.all(filters.map((filter) => conditionsFor(reader, user_id, filter)))
  return reader.readApart(
    wheres.map((where) => toTimesQuery(reader, where)),
    { user_id },
  )
}

function toTimesQuery({ db }: Reader, where: RawBuilder<SqlBool>): CompiledQuery<StepTimes> {
  const seconds = (from: string, to: string) =>
    perDialect({
      sqlite: sql`cast(round((julianday(${sql.ref(to)}) - julianday(${sql.ref(from)})) * 86400) as integer)`,
      postgres: sql`round(extract(epoch from (${sql.ref(to)})::timestamptz - (${sql.ref(from)})::timestamptz))::bigint`,
    })
  const step = (name: StepTimes['step'], from: string, to: string) =>
    sql`select ${sql.lit(name)} as step, case when ${sql.ref(to)} < ${sql.ref(from)} then 0 else ${seconds(from, to)} end as took from moves
      where ${sql.ref(from)} is not null and ${sql.ref(to)} is not null`
  return sql<StepTimes>`with moves as materialized (
      select expenses.created_at, ${movedTo('approved')} as approved_at,
        case when expenses.status = 'liquidated' then ${movedTo('liquidated')} end as settled_at
      from expenses where ${where} and expenses.status in ('approved', 'liquidated')),
    steps as (${sql.join(
      [
        step('approval', 'created_at', 'approved_at'),
        step('settlement', 'approved_at', 'settled_at'),
        step('whole', 'created_at', 'settled_at'),
      ],
      sql` union all `,
    )}),
    ranked as (select step, took, row_number() over (partition by step order by took) as place, count(*) over (partition by step) as count from steps)
    select step, count, max(case when place = (count + 1) / 2 then took end) as median_s,
      max(case when place = (count * 9 + 9) / 10 then took end) as p90_s from ranked group by step, count`.compile(db)
}
