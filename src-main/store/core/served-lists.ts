import { LRUCache } from 'lru-cache'
import { type CompiledQuery, sql } from 'kysely'
import type { Schema } from '#db/schema'
import type { Condition, ListFilter } from '#shared/contract/filters'
import type { Reader } from './store'

/** A table with at most this many rows is always read in a moment. */
const fewRows = 500
/** Reading a page steps over the rows before it, along the index. */
const farthestOffset = 10_000

/** How SQLite's plan of a query shows that an index serves a condition; rows are checked one by one for the others. */
const terms: Readonly<Partial<Record<Condition['predicate'], string>>> = { eq: '=', in: '=', lt: '<', lteq: '<', gt: '>', gteq: '>' }

interface Asked {
  readonly table: keyof Schema
  readonly query: { readonly filter: ListFilter; readonly offset: number }
  /** The queries of the page and of the count. */
  readonly queries: ReadonlyArray<CompiledQuery<unknown>>
  /** The column of a condition's attribute. */
  readonly columnOf: (condition: Condition) => string
}

/** Whether a table has so few rows that reading them delays nobody. */
export function isShort(reader: Reader, table: keyof Schema): Promise<boolean> {
  return reader.remember({ sql: 'a row too many', parameters: [table] }, async () => {
    const [further] = await reader.readHere([sql`select 1 from ${sql.table(table)} limit 1 offset ${fewRows}`.compile(reader.db)])
    return further.length === 0
  })
}

/** Plans that are slow: a full scan, a range of an index without its owner, and a sort. */
const unserved = /\bSCAN (?!CONSTANT)|SEARCH \w+ USING [^(\n]*\((?![^)\n]*=\?)|TEMP B-TREE/

/** Whether an index leads to a page's rows in their order, and to their count, so that reading them delays nobody. */
export async function isServed(reader: Reader, { table, query: { filter, offset }, queries, columnOf }: Asked): Promise<boolean> {
  // If the database is another process, no list blocks this one.
  if (reader.dialect === 'postgres' || (await isShort(reader, table))) return true
  const {
    search,
    search_tags,
    has_tag,
    queue,
    flag_conditions,
    flag_policy_ids,
    booked_month,
    counted_currency,
    supplier,
    handed_over,
    responsible_is_me,
    conditions,
  } = filter
  if (
    flag_conditions ||
    flag_policy_ids ||
    booked_month !== undefined ||
    counted_currency ||
    supplier ||
    handed_over ||
    responsible_is_me ||
    search !== undefined ||
    search_tags !== '' ||
    has_tag !== undefined ||
    offset > farthestOffset
  )
    return false
  const needed = conditions.map((condition) => {
    const [column, comparison] = [columnOf(condition), terms[condition.predicate]]
    return comparison && `${column === 'id' ? 'rowid' : column}${comparison}?`
  })
  for (const query of queries) {
    const plan = await planOf(reader, query)
    if (queue && !plan.includes(`INDEX expenses_${queue}_`)) return false
    if (unserved.test(plan) || !needed.every((term) => term !== undefined && plan.includes(term))) return false
  }
  return true
}

/** The query plans of a connection; they depend on the text alone. */
const plans = new WeakMap<Reader, LRUCache<string, string>>()

async function planOf(reader: Reader, query: CompiledQuery<unknown>): Promise<string> {
  const known = plans.get(reader) ?? new LRUCache<string, string>({ max: 500 })
  plans.set(reader, known)
  const kept = known.get(query.sql)
  if (kept !== undefined) return kept
  const explained: CompiledQuery<{ readonly detail?: string }> = { ...query, sql: `explain query plan ${query.sql}` }
  const plan = (await reader.db.executeQuery(explained)).rows.map(({ detail }) => detail).join('\n')
  known.set(query.sql, plan)
  return plan
}
