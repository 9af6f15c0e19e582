import { elements, elementsOf, namedElements, perDialect, unindexed } from '../../core/dialect'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListFilter } from '#shared/contract/filters'
import { noFinding, queueStatuses, waitingStatuses } from '#shared/domain/review-queues'

// The queues have partial indexes, which SQLite uses only if the query has the same words as the migration.
const statusIn = (statuses: readonly string[]) => sql`expenses.status in (${sql.join(statuses.map((status) => sql.lit(status)))})`
const waits = sql<SqlBool>`${unindexed}${statusIn(waitingStatuses)}`
const queues = {
  clean: [sql<SqlBool>`expenses.flag_level is null`, waits],
  flagged: [sql<SqlBool>`expenses.flag_level is not null`, waits],
  in_review: [sql<SqlBool>`${statusIn(queueStatuses.in_review)}`],
  // Most expenses are decided: the index of the order finds the first of them sooner.
  decided: [sql<SqlBool>`${unindexed}${statusIn(queueStatuses.decided)}`],
}

/** The findings of an expense, as rows of JSON. */
export const findings = elements('expenses.flags').as<'found'>(namedElements('found'))

/** Whether a finding is the first of its condition: an expense counts once in the group of each condition. */
export const isFirstFinding = sql<SqlBool>`found.key = (select min(other.key) from ${elementsOf('expenses.flags', 'other')}
  where other.value ->> 'condition' = found.value ->> 'condition')`

/** The month to which an expense belongs. */
export const bookedMonthOf = sql<string>`substr(coalesce(expenses.booked_on, expenses.occurred_at), 1, 7)`

/** The currency of an expense's counted amount. */
export const countedCurrency = sql<string>`coalesce(expenses.approved_amount_currency, expenses.currency)`

const rightNow = perDialect({
  sqlite: sql`strftime('%Y-%m-%dT%H:%M:%SZ', 'now')`,
  postgres: sql`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
})

/** Whether a user is responsible for an expense, directly or as a stand-in. */
export function isResponsible(user_id: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`expenses.responsible_user_id in (select ${user_id} union all select stand_ins.user_id from stand_ins
    where stand_ins.delegate_id = ${user_id} and stand_ins.organization_id = expenses.payer_id and stand_ins.deleted_at is null
    and stand_ins.starts_at <= ${rightNow} and ${rightNow} < stand_ins.ends_at)`
}

/** The filters by finding, by month, and by counted amount. */
export function toFlagExpressions({
  queue,
  flag_conditions,
  flag_policy_ids = [],
  booked_month,
  counted_currency,
}: ListFilter): RawBuilder<SqlBool>[] {
  return [
    ...(queue ? queues[queue] : []),
    ...(flag_conditions ? [hasCondition(flag_conditions)] : []),
    ...(booked_month === undefined ? [] : [sql<SqlBool>`${bookedMonthOf} = ${booked_month}`]),
    ...(counted_currency ? [sql<SqlBool>`${countedCurrency} in (${sql.join(counted_currency)})`] : []),
    ...flag_policy_ids.map((id) => hasFinding(sql`found.value ->> 'policy_id' = ${id}`)),
  ]
}

/** Whether an expense has a finding of one of these conditions, or no finding for `none`. */
function hasCondition(conditions: readonly string[]): RawBuilder<SqlBool> {
  if (conditions.includes(noFinding)) return sql<SqlBool>`expenses.flags is null`
  return hasFinding(sql`found.value ->> 'condition' in (${sql.join(conditions)})`)
}

function hasFinding(condition: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${elementsOf('expenses.flags', 'found')} where ${condition})`
}
