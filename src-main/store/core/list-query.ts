import { LRUCache } from 'lru-cache'
import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordTable, Row, Schema } from '#db/schema'
import type { Condition, ListFilter, SortStep } from '#shared/contract/filters'
import { tagKey } from '#shared/domain/tags'
import type { RowsOf } from './read-process'
import { perDialect } from './dialect'
import { isServed, isShort } from './served-lists'
import type { Reader } from './store'
import { splitKnownTagNames } from '../records/organizations/tag-reader'

/** The values of a row in the columns that order its list: its position. */
export type ListKey = ReadonlyArray<string | number | null>

/** A page of a list. It begins at `offset`, or after the key `after`, which stays valid when rows are added or deleted. */
export interface PageWindow {
  readonly limit: number
  readonly offset: number
  readonly after?: ListKey
}

/** A request to a list reader: filters and order in the contract's grammar. */
export interface ListQuery extends PageWindow {
  readonly filter: ListFilter
  readonly sort: readonly SortStep[]
}

/** The rows of one page and the total number of rows. */
export interface Page<R> {
  readonly rows: R[]
  readonly count: number
}

/** The column of an attribute of the contract. Amounts are compared in their common scale. */
export function columnOf({ attribute, kind }: Pick<Condition, 'attribute' | 'kind'>): string {
  return kind === 'amount' ? `${attribute}_scaled` : attribute
}

/** Escapes text for LIKE. */
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
 * The tag filters of expenses, reimbursements and advancements as SQL. Where the names in `search_tags` are cut off, the tags of the user's
 * organizations decide.
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

/** The columns that order a list: the requested ones, or newest first (supplement, "Order"). The last one is the id, so no two rows are equal. */
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

/** The condition that a row comes after a key in the order of its list; undefined if the page has no key. Nulls come first, as in SQLite. */
export function isAfter(table: string, sort: readonly SortStep[], key: ListKey | undefined): RawBuilder<SqlBool>[] {
  if (key === undefined) return []
  const [first, second, ...more] = orderSteps(sort)
  // Neither column is nullable, and an index serves a comparison of rows.
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

/** A page's own parameters, in addition to the statement's. */
export type KeyedPage<P> = P & { readonly limit: number; readonly offset: number } & ReturnType<typeof newestKey>

/** The key of a page of a list that is always newest first. Without a key, one before every row. */
export function newestKey({ after: [at, id] = [] }: PageWindow): { readonly after_at: string; readonly after_id: number } {
  return { after_at: typeof at === 'string' ? at : '9999', after_id: typeof id === 'number' ? id : Number.MAX_SAFE_INTEGER }
}

/** The key of a page of a list that is oldest first. Without a key, one before every row. */
export function oldestKey({ after: [at, id] = [] }: PageWindow): ReturnType<typeof newestKey> {
  return { after_at: typeof at === 'string' ? at : '', after_id: typeof id === 'number' ? id : Number.MIN_SAFE_INTEGER }
}

/** The queries of a page and of its count, and whether there are more rows than this connection counts. */
interface PageQueries<R> {
  readonly page: CompiledQuery<R>
  readonly counted: CompiledQuery<{ count: number }>
  readonly further: CompiledQuery<unknown>
}

/** The queries of a page of a table's records that are not deleted and meet these conditions, and of their count. */
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
    // With a literal limit SQLite can decide in its plan whether sorting pays.
    page: sql<Row<T>>`${rows} order by ${toOrder(table, query.sort)} limit ${sql.lit(query.limit)} offset ${query.offset}`.compile(db),
    counted: sql<{ count: number }>`${select(sql`count(*) as count`, all)}`.compile(db),
    further: sql`${select(sql`1`, all)} limit 1 offset ${sql.lit(mostCountedHere)}`.compile(db),
  }
}

/** Runs queries that may look at any number of rows: on this connection if the table is short, otherwise in another process for this user. */
export async function readShare<const Q extends ReadonlyArray<CompiledQuery<unknown>>>(
  reader: Reader,
  queries: Q,
  { table, user_id }: { table: keyof Schema; user_id: number },
): Promise<RowsOf<Q>> {
  return (await isShort(reader, table)) ? reader.readHere(queries) : reader.readApart(queries, { user_id })
}

/**
 * Reads a page of a table's records for a user: records that are not deleted and meet these conditions and the list's filters. Runs on this
 * connection if an index serves it, otherwise in another process. The results are kept until the next commit, by user, `within` and query: `where`
 * must depend on nothing else. Throws {@link DomainError} if it takes too long.
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

/** An index leads to each counted row: this many take a few milliseconds, a million some hundred. */
const mostCountedHere = 20_000

/** The last counts of lists, by query: a list that was long is still long after the next commit. */
const lastCounts = new WeakMap<Reader, LRUCache<string, number>>()

/** The number of rows of a list, kept until the next commit. Long lists are counted in another process, so that nobody waits for it. */
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

/** A list, and the user who reads it. */
export interface ListOf {
  readonly user_id: number
  /** Tells apart a user's lists of the same records: their organization or status. */
  readonly within?: string | number
  readonly query: ListQuery
  readonly where: () => ReadonlyArray<RawBuilder<SqlBool>> | Promise<ReadonlyArray<RawBuilder<SqlBool>>>
}
