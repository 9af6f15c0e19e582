import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordTable, Row } from '#db/schema'
import type { Condition, ListFilter, SortStep } from '#shared/contract/filters'
import { tagKey } from '#shared/domain/tags'
import type { Reader } from './store'
import { splitKnownTagNames } from './tag-names'

/** A page of a list, its first row at `offset`. */
export interface PageWindow {
  readonly limit: number
  readonly offset: number
}

/** What a list reader is asked for: filters and order as the contract's grammar gives them. */
export interface ListQuery extends PageWindow {
  readonly filter: ListFilter
  readonly sort: readonly SortStep[]
}

/** Rows of one page and how many there are in all. */
export interface Page<R> {
  readonly rows: R[]
  readonly count: number
}

/** Where an attribute of the contract is kept: amounts are compared by their common scale. */
export function columnOf({ attribute, kind }: Pick<Condition, 'attribute' | 'kind'>): string {
  return kind === 'amount' ? `${attribute}_scaled` : attribute
}

/** Text as LIKE takes it literally. */
function literal(text: unknown): string {
  return String(text).replace(/[\\%_]/g, (character) => `\\${character}`)
}

/** One filter as SQL. The column name comes from the list's own whitelist. */
export function toExpression(table: string, condition: Condition): RawBuilder<SqlBool> {
  const column = sql.ref(`${table}.${columnOf(condition)}`)
  const [value] = condition.values
  const list = sql.join(condition.values.length > 0 ? condition.values : [null])
  switch (condition.predicate) {
    case 'eq':
      return sql`${column} = ${value}`
    case 'not_eq':
      return sql`(${column} <> ${value} or ${column} is null)`
    case 'in':
      return sql`${column} in (${list})`
    case 'not_in':
      return condition.values.length === 0 ? sql`1 = 1` : sql`(${column} not in (${list}) or ${column} is null)`
    case 'lt':
      return sql`${column} < ${value}`
    case 'lteq':
      return sql`${column} <= ${value}`
    case 'gt':
      return sql`${column} > ${value}`
    case 'gteq':
      return sql`${column} >= ${value}`
    case 'cont':
      return sql`lower(${column}) like lower(${`%${literal(value)}%`}) escape '\\'`
    case 'start':
      return sql`lower(${column}) like lower(${`${literal(value)}%`}) escape '\\'`
    case 'null':
      return value === 1 ? sql`${column} is null` : sql`${column} is not null`
  }
}

/**
 * The tag filters of expenses, reimbursements and advancements as SQL. Where the names of `search_tags` end, the tags of the
 * user's organizations tell.
 */
export async function toTagExpressions(
  reader: Reader,
  { resource, user_id, filter }: { resource: 'expense' | 'reimbursement' | 'advancement'; user_id: number; filter: ListFilter },
): Promise<RawBuilder<SqlBool>[]> {
  const { search_tags, has_tag } = filter
  const names = await splitKnownTagNames(reader, search_tags, { user_id })
  const owner = sql.ref(`${resource}s.id`)
  const links = sql.table(`${resource}_tags`)
  const link = sql.ref(`${resource}_tags.${resource}_id`)
  const expressions = names.map(
    (name) => sql<SqlBool>`${owner} in (select ${link} from ${links} join tags on tags.id = ${links}.tag_id
      where tags.name_key = ${tagKey(name)} and tags.deleted_at is null)`,
  )
  if (has_tag === undefined) return expressions
  const any = sql`exists (select 1 from ${links} join tags on tags.id = ${links}.tag_id where ${link} = ${owner} and tags.deleted_at is null)`
  return [...expressions, has_tag ? sql<SqlBool>`${any}` : sql<SqlBool>`not ${any}`]
}

/** The order of a list: as asked, then newest first (supplement, "Order"). */
export function toOrder(table: string, sort: readonly SortStep[]): RawBuilder<unknown> {
  const steps: Array<{ column: string; descending: boolean }> = sort.map((step) => ({
    column: columnOf(step),
    descending: step.descending,
  }))
  const ascending = steps.length > 0 && !steps[0]?.descending
  if (steps.length === 0) steps.push({ column: 'created_at', descending: true })
  if (!steps.some(({ column }) => column === 'id')) steps.push({ column: 'id', descending: !ascending })
  return sql.join(
    steps.map(({ column, descending }) => sql`${sql.ref(`${table}.${column}`)} ${sql.raw(descending ? 'desc' : 'asc')}`),
  )
}

/** A page of the records of a table that are not deleted and meet these conditions and the list's own filters. */
export async function readPage<T extends RecordTable>(
  reader: Reader,
  table: T,
  { where, query }: { where: ReadonlyArray<RawBuilder<SqlBool>>; query: ListQuery },
): Promise<Page<Row<T>>> {
  const live = sql<SqlBool>`${sql.ref(`${table}.deleted_at`)} is null`
  const conditions = sql.join(
    [live, ...where, ...query.filter.conditions.map((condition) => toExpression(table, condition))],
    sql` and `,
  )
  const from = sql`from ${sql.table(table)} where ${conditions}`
  const page = sql<Row<T>>`select * ${from} order by ${toOrder(table, query.sort)} limit ${query.limit} offset ${query.offset}`
  const counted = await sql<{ count: number }>`select count(*) as count ${from}`.execute(reader.db)
  return { rows: (await page.execute(reader.db)).rows, count: counted.rows[0]?.count ?? 0 }
}
