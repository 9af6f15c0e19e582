import { LRUCache } from 'lru-cache'
import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordTable, Row, Schema } from '#db/schema'
import type { Condition, ListFilter, SortStep } from '#shared/contract/filters'
import { tagKey } from '#shared/domain/tags'
import type { RowsOf } from './read-process'
import { perDialect } from './dialect'
import { isServed, isShort } from './served-lists'
import type { Reader } from './store'
import { splitKnownTagNames } from '../records/organizations/tag-names'

/** What a row holds in the columns by which its list is ordered: its position. */
export type ListKey = ReadonlyArray<string | number | null>

/** A page of a list: its first row is the one at `offset`, or the one after the key `after`, whatever was added or deleted. */
export interface PageWindow {
  readonly limit: number
  readonly offset: number
  readonly after?: ListKey
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

/** The columns by which a list is ordered: as asked, else newest first (supplement, "Order"). Its last is the id: no two rows are equal. */
export function orderSteps(sort: readonly SortStep[]): ReadonlyArray<{ readonly column: string; readonly descending: boolean }> {
  const steps = sort.map((step) => ({ column: columnOf(step), descending: step.descending }))
  const ascending = steps.length > 0 && !steps[0]?.descending
  if (steps.length === 0) steps.push({ column: 'created_at', descending: true })
  const end = steps.findIndex(({ column }) => column === 'id')
  return end === -1 ? [...steps, { column: 'id', descending: !ascending }] : steps.slice(0, end + 1)
}

/** The order of a list. */
export function toOrder(table: string, sort: readonly SortStep[]): RawBuilder<unknown> {
  const steps = orderSteps(sort)
  return sql.join(
    steps.map(({ column, descending }) => {
      const order = sql`${sql.ref(`${table}.${column}`)} ${sql.raw(descending ? 'desc' : 'asc')}`
      const named = sql`${order} nulls ${sql.raw(descending ? 'last' : 'first')}`
      return perDialect({ sqlite: order, postgres: named })
    }),
  )
}

function isNeverNull(table: string, column: string): boolean {
  return column === 'created_at' || (table === 'expenses' && column === 'occurred_at')
}

/** That a row comes after a key in the order of its list; nothing where the page has no key. Nulls come first, as in SQLite. */
export function isAfter(table: string, sort: readonly SortStep[], key: ListKey | undefined): RawBuilder<SqlBool>[] {
  if (key === undefined) return []
  const [first, second, ...more] = orderSteps(sort)
  // Neither column is ever null, and an index serves a comparison of rows.
  if (first && second && more.length === 0 && first.descending === second.descending && isNeverNull(table, first.column)) {
    const columns = sql`(${sql.ref(`${table}.${first.column}`)}, ${sql.ref(`${table}.${second.column}`)})`
    return [sql<SqlBool>`${columns} ${sql.raw(first.descending ? '<' : '>')} (${key[0]}, ${key[1]})`]
  }
  const alternatives: RawBuilder<SqlBool>[] = []
  const equal: RawBuilder<SqlBool>[] = []
  for (const [index, { column, descending }] of orderSteps(sort).entries()) {
    const [reference, value] = [sql.ref(`${table}.${column}`), key[index] ?? null]
    const beyond = descending
      ? value === null
        ? sql<SqlBool>`1 = 0`
        : sql<SqlBool>`(${reference} < ${value} or ${reference} is null)`
      : value === null
        ? sql<SqlBool>`${reference} is not null`
        : sql<SqlBool>`${reference} > ${value}`
    alternatives.push(sql<SqlBool>`(${sql.join([...equal, beyond], sql` and `)})`)
    equal.push(value === null ? sql<SqlBool>`${reference} is null` : sql<SqlBool>`${reference} = ${value}`)
  }
  return [sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`]
}

/** The parameters of such a page's statement in addition to its own. */
export type KeyedPage<P> = P & { readonly limit: number; readonly offset: number } & ReturnType<typeof newestKey>

/** The key of a page of a list that is always newest first; without one, a key before every row. */
export function newestKey({ after: [at, id] = [] }: PageWindow): { readonly after_at: string; readonly after_id: number } {
  return { after_at: typeof at === 'string' ? at : '9999', after_id: typeof id === 'number' ? id : Number.MAX_SAFE_INTEGER }
}

/** The key of a page of a list that is oldest first; without one, a key before every row. */
export function oldestKey({ after: [at, id] = [] }: PageWindow): ReturnType<typeof newestKey> {
  return { after_at: typeof at === 'string' ? at : '', after_id: typeof id === 'number' ? id : Number.MIN_SAFE_INTEGER }
}

/** A page, how many rows there are in all, and whether there are more than are counted by this connection. */
interface PageQueries<R> {
  readonly page: CompiledQuery<R>
  readonly counted: CompiledQuery<{ count: number }>
  readonly further: CompiledQuery<unknown>
}

/** The queries of a page of the records of a table that are not deleted and meet these conditions, and of their count. */
function toQueries<T extends RecordTable>(
  { db }: Reader,
  table: T,
  { where, query }: { where: ReadonlyArray<RawBuilder<SqlBool>>; query: ListQuery },
): PageQueries<Row<T>> {
  const live = sql<SqlBool>`${sql.ref(`${table}.deleted_at`)} is null`
  const all = [live, ...where, ...query.filter.conditions.map((condition) => toExpression(table, condition))]
  const select = (what: RawBuilder<unknown>, conditions: ReadonlyArray<RawBuilder<SqlBool>>) =>
    sql`select ${what} from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  const rows = select(sql`*`, [...all, ...isAfter(table, query.sort, query.after)])
  return {
    // A limit that SQLite knows when it plans decides whether to sort pays.
    page: sql<Row<T>>`${rows} order by ${toOrder(table, query.sort)} limit ${sql.lit(query.limit)} offset ${query.offset}`.compile(db),
    counted: sql<{ count: number }>`${select(sql`count(*) as count`, all)}`.compile(db),
    further: sql`${select(sql`1`, all)} limit 1 offset ${sql.lit(mostCountedHere)}`.compile(db),
  }
}

/** Queries that may look at any number of rows: by this connection where the table is short, else apart, for this user. */
export async function readShare<const Q extends ReadonlyArray<CompiledQuery<unknown>>>(
  reader: Reader,
  queries: Q,
  { table, user_id }: { table: keyof Schema; user_id: number },
): Promise<RowsOf<Q>> {
  return (await isShort(reader, table)) ? reader.readHere(queries) : reader.readApart(queries, { user_id })
}

/**
 * A page of the records of a table that are not deleted, that meet these conditions and the list's own filters, read for a user: by
 * this connection where an index serves it, else apart. Its queries and its count are kept until something is committed, by the user,
 * `within` and the query: `where` may depend on nothing else. Throws {@link DomainError} when it takes too long.
 */
export async function readPage<T extends RecordTable>(
  reader: Reader,
  table: T,
  { user_id, within, query, where }: ListOf,
): Promise<Page<Row<T>>> {
  const asked = { sql: `a page of ${table}`, parameters: [user_id, within, JSON.stringify(query)] }
  const queries = await reader.remember(asked, async () => toQueries(reader, table, { where: await where(), query }))
  const { page, counted } = queries
  if (await isServed(reader, { table, query, queries: [page, counted], columnOf }))
    return { rows: (await reader.readHere([page]))[0], count: await countRows(reader, queries) }
  const [rows, [total]] = await reader.readApart([page, counted], { user_id })
  return { rows, count: total?.count ?? 0 }
}

/** An index leads to each row that is counted: so many take a few milliseconds, a million of them some hundred. */
const mostCountedHere = 20_000

/** The last counts of lists, by their queries: what was long is long after the next commit. */
const lastCounts = new WeakMap<Reader, LRUCache<string, number>>()

/** How many rows a list has, until something is committed: counted apart where there are many, so that nobody waits for it. */
function countRows(reader: Reader, { counted, further }: PageQueries<unknown>): Promise<number> {
  return reader.remember(further, async () => {
    const key = JSON.stringify([counted.sql, counted.parameters])
    const known = lastCounts.get(reader) ?? new LRUCache<string, number>({ max: 2000 })
    lastCounts.set(reader, known)
    const last = known.get(key)
    const isLong = last === undefined ? (await reader.readHere([further]))[0].length > 0 : last > mostCountedHere
    const [row] = isLong ? await reader.allApart(counted) : (await reader.readHere([counted]))[0]
    const count = row?.count ?? 0
    known.set(key, count)
    return count
  })
}

/** A list that a user reads. */
export interface ListOf {
  readonly user_id: number
  /** Which of a user's lists of the same records this is: its organization, or its state. */
  readonly within?: string | number
  readonly query: ListQuery
  readonly where: () => ReadonlyArray<RawBuilder<SqlBool>> | Promise<ReadonlyArray<RawBuilder<SqlBool>>>
}
