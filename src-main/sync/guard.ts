import type { ChangePage } from '#shared/contract/sync'
import { countRows } from '#main/store/replica-reader'
import { findReplicaValue, writeReplicaValue } from '#main/store/replica-state'
import { type Exchange, transact } from './exchange'

/** So many deletions of a table at once are believed, or this part of it. */
const believed = 20
const believedPart = 0.05

/** How many records of a table would go, of how many. */
export interface Deletions {
  readonly table: string
  readonly count: number
}

/** The deletions in a page of changes. */
export function countDeletions({ tables, removed }: Pick<ChangePage, 'tables' | 'removed'>): Deletions[] {
  const counts = new Map<string, number>()
  const add = (table: string, count: number) => counts.set(table, (counts.get(table) ?? 0) + count)
  for (const { name, columns, rows } of tables) {
    const deleted = columns.indexOf('deleted_at')
    if (deleted >= 0 && name !== 'comments') add(name, rows.filter((row) => row[deleted] !== null).length)
  }
  for (const { table } of removed) add(table, 1)
  return [...counts].map(([table, count]) => ({ table, count }))
}

export interface Excess extends Deletions {
  readonly total: number
}

/**
 * The first table of which more would go than is believed without a person (`SPEC.md`, "Guards"). Deletions are counted over the
 * whole exchange, so that many small pages are one large deletion.
 */
export async function exceedsGuard(
  exchange: Pick<Exchange, 'store' | 'deleted'>,
  deletions: readonly Deletions[],
): Promise<Excess | undefined> {
  if (await findReplicaValue(exchange.store.reader, 'allowed')) return undefined
  for (const { table, count } of deletions) {
    const sum = (exchange.deleted.get(table) ?? 0) + count
    exchange.deleted.set(table, sum)
    if (sum <= believed) continue
    const total = await countRows(exchange.store.reader, table)
    if (sum > Math.max(believed, total * believedPart)) return { table, count: sum, total }
  }
  return undefined
}

/** Stops, and changes nothing, until a person has decided. */
export async function stopAtGuard(exchange: Exchange, { table, count, total }: Excess): Promise<'stopped'> {
  const message = `The remote would delete ${count} of ${total} ${table}. Nothing was changed.`
  await transact(exchange, (tx) => writeReplicaValue(tx, 'stop', { kind: 'guard', message, table, count, total }))
  return 'stopped'
}
