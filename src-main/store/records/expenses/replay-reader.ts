import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { JudgedExpense, PolicyVersion } from '#shared/domain/policies'
import type { PolicyPeriod } from '#shared/domain/policies/terms'
import type { Reader } from '../../core/store'
import { addedScope, adds, selectSums } from './policy-sums'

/** An expense by its place in the order of dates. */
export interface ReplayPlace {
  readonly occurred_at: string
  readonly id: number
}

/** An expense as a policy is tried on it. */
export type ReplayedRow = JudgedExpense & { readonly id: number }

const ids = z.array(z.int())

interface Asked {
  readonly organization_id: number
  readonly user_id: number
  /** What the expenses are judged by, as policy 0. */
  readonly version: PolicyVersion
  readonly from: ReplayPlace
  readonly most: number
}

const midnight = (date: RawBuilder<unknown>) => sql`${date} || 'T00:00:00Z'`

/** The beginning and the end of the period in which an expense is, as `spanOf` has them. */
const spans: Readonly<Record<PolicyPeriod, { readonly from: RawBuilder<unknown>; readonly to: RawBuilder<unknown> }>> = {
  day: { from: midnight(sql`date(expenses.occurred_at)`), to: midnight(sql`date(expenses.occurred_at, '+1 day')`) },
  week: {
    from: midnight(sql`date(expenses.occurred_at, '-6 days', 'weekday 1')`),
    to: midnight(sql`date(expenses.occurred_at, '+1 day', 'weekday 1')`),
  },
  month: {
    from: midnight(sql`date(expenses.occurred_at, 'start of month')`),
    to: midnight(sql`date(expenses.occurred_at, 'start of month', '+1 month')`),
  },
}

function othersOf({ db }: Reader, version: PolicyVersion) {
  const { tag_ids, currencies, kinds } = addedScope(version)
  const sums = selectSums(db, {
    ...{ payer_id: sql.ref('expenses.payer_id'), receiver_id: sql.ref('expenses.receiver_id') },
    ...{ except_id: sql.ref('expenses.id'), ...spans[version.period ?? 'day'] },
    ...{ tag_ids: sql.val(tag_ids), currencies: sql.val(currencies), kinds: sql.val(kinds) },
  })
  const column = version.condition === 'sum_over' ? 'minor' : 'metres'
  return sql<number | null>`(select ${sql.ref(column)} from (${sums}))`
}

/** Expenses of an organization after a place in the order of their dates, with what a version of a policy looks at. */
export async function readReplayed(
  reader: Reader,
  { organization_id, user_id, version, from, most }: Asked,
): Promise<ReplayedRow[]> {
  const tag_ids = sql<string>`(select json_group_array(expense_tags.tag_id) from expense_tags
    join tags on tags.id = expense_tags.tag_id and tags.deleted_at is null where expense_tags.expense_id = expenses.id)`
  const page = reader.db
    .selectFrom('expenses')
    .select(['id', 'occurred_at', 'created_at', 'receiver_id', 'kind', 'amount_minor', 'currency', 'approved_amount_currency'])
    .select(['distance', 'distance_kind', 'description', 'supplier_name', 'location', 'corporative_card_id', 'pre_expense_id'])
    .select(['attachments_count', 'justification', tag_ids.as('tag_list')])
    .select((adds(version) ? othersOf(reader, version) : sql<number | null>`null`).as('others_sum'))
    .where('payer_id', '=', organization_id)
    .where(sql<boolean>`(occurred_at, id) > (${from.occurred_at}, ${from.id})`)
    .where('deleted_at', 'is', null)
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(most)
  const [rows] = await reader.readApart([page.compile()], { user_id })
  return rows.map(({ tag_list, others_sum, ...row }) => ({
    ...row,
    tag_ids: ids.parse(JSON.parse(tag_list)),
    others: new Map(others_sum === null ? [] : [[0, others_sum]]),
  }))
}
