import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { ExpenseGrouping } from '#shared/contract/expenses'
import type { ListFilter } from '#shared/contract/filters'
import { bookedMonthOf, countedCurrency, findings, isResponsible, toFlagExpressions } from './flag-filters'
import { matchesSearch } from './expense-search'
import { isOfSupplier, supplierKey, supplierParts } from './supplier-key'
import { type ListQuery, type Page, readPage, toExpression, toTagExpressions } from '../../core/list-query'
import { nullsFirst, perDialect } from '../../core/dialect'
import { listStatement, statement } from '../../core/statement'
import { handedOverIs } from '../handovers/handed-over'
import type { Reader } from '../../core/store'
import { visibleTo } from '../visible-records'

const findRow = statement<{ id: number }, Row<'expenses'>>((db, p) => db.selectFrom('expenses').selectAll().where('id', '=', p('id')))
const listTagsOf = listStatement<number, { expense_id: number; name: string }>(
  (db, ids) =>
    db
      .selectFrom('expense_tags')
      .innerJoin('tags', 'tags.id', 'expense_tags.tag_id')
      .select(['expense_tags.expense_id', 'tags.name'])
      .where('expense_tags.expense_id', 'in', ids)
      .where('tags.deleted_at', 'is', null)
      .orderBy('expense_tags.expense_id')
      .orderBy('expense_tags.position'),
  { keptBy: 'expense_id' },
)

/** An expense by id, including a deleted one (see `deleted_at`). */
export function findExpense(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}

const expenses = { table: 'expenses', followed: 'expense' } as const

/** Conditions between a user and an expense, beyond the filters of its attributes. */
async function visibleAs(reader: Reader, user_id: number, filter: ListFilter): Promise<RawBuilder<SqlBool>[]> {
  return [
    ...(await toTagExpressions(reader, { resource: 'expense', user_id, filter })),
    ...(filter.search === undefined ? [] : [matchesSearch(filter.search)]),
    ...toFlagExpressions(filter),
    ...(filter.supplier ? [isOfSupplier(filter.supplier)] : []),
    ...(await Promise.all((filter.handed_over ?? []).map((wanted) => handedOverIs(reader, wanted)))),
    ...(filter.responsible_is_me ? [isResponsible(user_id)] : []),
    ...(await visibleTo(reader, expenses, { user_id, filter })),
  ]
}

/** The condition for the list of expenses that a user may see and that match a filter. */
export async function conditionsFor(reader: Reader, user_id: number, filter: ListFilter): Promise<RawBuilder<SqlBool>> {
  const all = [
    sql<SqlBool>`expenses.deleted_at is null`,
    ...filter.conditions.map((condition) => toExpression('expenses', condition)),
    ...(await visibleAs(reader, user_id, filter)),
  ]
  return sql.join(all, sql` and `)
}

/** A page of the expenses that a user may see. */
export function listExpenses(reader: Reader, user_id: number, query: ListQuery): Promise<Page<Row<'expenses'>>> {
  return readPage(reader, 'expenses', { user_id, query, where: () => visibleAs(reader, user_id, query.filter) })
}

const withoutIndexes = perDialect({ sqlite: sql`not indexed`, postgres: sql`` })

/** Expenses after an id that a user may see and that match a filter, by id: reads a whole list page by page. */
export async function listExpensesAfter(
  reader: Reader,
  user_id: number,
  page: { filter: ListFilter; after_id: number; limit: number; isReadByKey?: boolean },
): Promise<readonly Row<'expenses'>[]> {
  const where = await conditionsFor(reader, user_id, page.filter)
  const { rows } = await sql<Row<'expenses'>>`select * from expenses ${page.isReadByKey ? withoutIndexes : sql``}
    where ${where} and id > ${page.after_id} order by id limit ${page.limit}`.execute(reader.db)
  return rows
}

const groupKeys = {
  status: sql.ref('expenses.status'),
  receiver: sql.ref('expenses.receiver_id'),
  tag: sql.ref('expense_tags.tag_id'),
  supplier: supplierKey,
  flag: sql`found.value ->> 'condition'`,
  responsible: sql.ref('expenses.responsible_user_id'),
  booked_month: bookedMonthOf,
} as const satisfies Record<ExpenseGrouping, RawBuilder<unknown>>

/** The amounts that can be added up, and the columns of each and its currency; see `countedAmount` for `counted`. */
const summed = {
  claimed: { amount_minor: sql<number>`expenses.amount_minor`, currency: sql<string>`expenses.currency` },
  approved: { amount_minor: sql<number>`expenses.approved_amount_minor`, currency: sql<string>`expenses.approved_amount_currency` },
  counted: { amount_minor: sql<number>`coalesce(expenses.approved_amount_minor, expenses.amount_minor)`, currency: countedCurrency },
}

/** The expenses of one group with the same currency and the same claimed currency; amounts in minor units. A supplier has one for each `spelling`. */
export interface ExpenseGroup {
  readonly key: string | number | null
  readonly spelling: string | null
  readonly currency: string
  readonly count: number
  readonly amount_minor: number
  readonly claimed_currency: string
  readonly claimed_minor: number
}

/** Groupings that the index `expenses_summary` covers. */
const indexed: ReadonlySet<ExpenseGrouping> = new Set(['status', 'receiver'])

/**
 * The groups by finding. An expense counts once per condition, however many such findings it has: selecting the first finding would cost four times
 * as much.
 */
function partsByFinding({ db }: Reader, where: Expression<SqlBool>, amounts: keyof typeof summed) {
  const { currency, amount_minor } = summed[amounts]
  const found = db
    .selectFrom('expenses')
    .leftJoin(findings, (join) => join.onTrue())
    .select(['expenses.id', sql<string | number | null>`${groupKeys.flag}`.as('key'), sql<string | null>`null`.as('spelling')])
    .select([currency.as('currency'), amount_minor.as('amount_minor')])
    .select(['expenses.currency as claimed_currency', 'expenses.amount_minor as claimed_minor'])
    .where(where)
    .where(amount_minor, 'is not', null)
    .distinct()
  return db
    .selectFrom(found.as('each'))
    .select(['key', 'spelling', 'currency', 'claimed_currency', sql<number>`count(*)`.as('count')])
    .select(({ fn }) => [fn.sum<number>('amount_minor').as('amount_minor'), fn.sum<number>('claimed_minor').as('claimed_minor')])
    .groupBy(['key', 'spelling', 'currency', 'claimed_currency'])
}

/** Counts and sums of the expenses that a user may see and that match a filter. */
export async function summarizeExpenses(
  reader: Reader,
  user_id: number,
  { filter, group_by, amounts = 'claimed' }: { filter: ListFilter; group_by: ExpenseGrouping; amounts?: keyof typeof summed },
): Promise<ExpenseGroup[]> {
  const where = await conditionsFor(reader, user_id, filter)
  const { currency, amount_minor } = summed[amounts]
  const key = groupKeys[group_by]
  const isSpelled = group_by === 'supplier'
  let rows = reader.db.selectFrom('expenses')
  if (group_by === 'tag') rows = rows.leftJoin('expense_tags', 'expense_tags.expense_id', 'expenses.id')
  const parts = rows
    .select([sql<string | number | null>`${key}`.as('key'), currency.as('currency')])
    .select(sql<string | null>`${isSpelled ? sql.ref('expenses.supplier_name') : sql`null`}`.as('spelling'))
    .select([sql<number>`count(*)`.as('count'), sql<number>`sum(${amount_minor})`.as('amount_minor')])
    .select(['expenses.currency as claimed_currency', sql<number>`sum(expenses.amount_minor)`.as('claimed_minor')])
    .where(where)
    .where(amount_minor, 'is not', null)
    // In the order of that index, only the sums need sorting.
    .groupBy(
      indexed.has(group_by)
        ? ['expenses.status', 'expenses.currency', 'expenses.approved_amount_currency', 'expenses.receiver_id']
        : [...(isSpelled ? supplierParts : [sql`${key}`]), currency, 'expenses.currency'],
    )
  const query = reader.db
    .selectFrom(group_by === 'flag' ? partsByFinding(reader, where, amounts).as('parts') : parts.as('parts'))
    .select(['key', 'spelling', 'currency', 'claimed_currency'])
    .select(({ fn }) => [
      fn.sum<number>('count').as('count'),
      fn.sum<number>('amount_minor').as('amount_minor'),
      fn.sum<number>('claimed_minor').as('claimed_minor'),
    ])
    .groupBy(['key', 'spelling', 'currency', 'claimed_currency'])
    .orderBy(nullsFirst(sql.ref('key')))
    .orderBy('currency')
    .orderBy('claimed_currency')
  const groups = (await reader.readApart([query.compile()], { user_id }))[0]
  return group_by === 'tag' ? nameTags(reader, groups) : groups
}

/** Turns groups of tags into groups of tag names: a name is read once per tag, not once per expense. */
async function nameTags(reader: Reader, groups: readonly ExpenseGroup[]): Promise<ExpenseGroup[]> {
  const ids = [...new Set(groups.map(({ key }) => key))].filter((key) => typeof key === 'number')
  const tags = ids.length === 0 ? [] : await reader.db.selectFrom('tags').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(tags.map(({ id, name }) => [id, name]))
  return groups.map((group) => ({ ...group, key: typeof group.key === 'number' ? (names.get(group.key) ?? null) : group.key }))
}

/** Tag names by expense id, in the order in which they were added. */
export async function listTagNamesOf(reader: Reader, expense_ids: readonly number[]): Promise<Map<number, string[]>> {
  const names = new Map<number, string[]>()
  for (const { expense_id, name } of await reader.allOf(listTagsOf, expense_ids)) {
    const own = names.get(expense_id)
    if (own) own.push(name)
    else names.set(expense_id, [name])
  }
  return names
}
