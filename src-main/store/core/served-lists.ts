import type { CompiledQuery } from 'kysely'
import type { Condition, ListFilter, SortStep } from '#shared/contract/filters'
import type { Reader } from './store'

/** Attributes of records with a payer whose equality an index serves together with the payer's and the usual order. */
const equal = new Set(['status', 'receiver_id', 'currency', 'kind', 'liquidate_through_advancement'])
/** Those whose ranges an index serves, in their own order. */
const ranged = new Set(['created_at', 'updated_at', 'occurred_at', 'amount', 'approved_amount', 'id'])

/** A row that an index leads to may still have to be looked at for a second filter: over all rows that is a scan. */
function areServed({ conditions, search, search_tags, has_tag }: ListFilter, sort: readonly SortStep[]): boolean {
  if (search !== undefined || search_tags !== '' || has_tag !== undefined) return false
  const others = conditions.filter(({ attribute, predicate }) => attribute !== 'payer_id' || predicate !== 'eq')
  if (others.length > 1 || sort.length > 1) return false
  return others.every((condition) => isIndexed(condition, sort[0]?.attribute))
}

function isIndexed({ attribute, predicate }: Condition, order: string | undefined): boolean {
  if (predicate === 'eq' && equal.has(attribute)) return order === undefined || order === 'occurred_at'
  return ['eq', 'lt', 'lteq', 'gt', 'gteq'].includes(predicate) && ranged.has(attribute) && order === attribute
}

/** Whether an index leads to the rows of a page in their order, and to their number: then reading it holds nobody up. */
export async function isServed(
  reader: Reader,
  { query: { filter, sort }, page }: { query: { filter: ListFilter; sort: readonly SortStep[] }; page: CompiledQuery<unknown> },
): Promise<boolean> {
  if (!areServed(filter, sort)) return false
  return reader.remember({ sql: `the plan of ${page.sql}`, parameters: page.parameters }, async () => {
    const explained: CompiledQuery<{ readonly detail?: string }> = { ...page, sql: `explain query plan ${page.sql}` }
    const { rows } = await reader.db.executeQuery(explained)
    return !rows.some(({ detail }) => detail?.includes('TEMP B-TREE'))
  })
}
