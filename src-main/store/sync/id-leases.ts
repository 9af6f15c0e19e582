import type { Row } from '#db/schema'
import { statement } from '../core/statement'
import type { Identity, MintedTable, Reader, Tx } from '../core/store'

const insertRow = statement<Omit<Row<'id_leases'>, 'id'>, unknown>((db, p) =>
  db
    .insertInto('id_leases')
    .values({ table_name: p('table_name'), next_id: p('next_id'), last_id: p('last_id'), created_at: p('created_at') }),
)
const sumLeft = statement<{ table_name: string }, { next_id: number; last_id: number }>((db, p) =>
  db.selectFrom('id_leases').select(['next_id', 'last_id']).where('table_name', '=', p('table_name')),
)
const deleteAll = statement<Record<string, never>, unknown>((db) => db.deleteFrom('id_leases'))
const deleteUsed = statement<Record<string, never>, unknown>((db) => db.deleteFrom('id_leases').whereRef('next_id', '>', 'last_id'))

const takeText = `UPDATE id_leases SET next_id = next_id + 1 WHERE id =
  (SELECT id FROM id_leases WHERE table_name = ? AND next_id <= last_id ORDER BY id LIMIT 1) RETURNING next_id - 1 AS id`
const provisionalText = `INSERT INTO sync_state (key, value, updated_at) VALUES ('provisional_id', '-1', ?)
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) - 1 AS TEXT) RETURNING CAST(value AS INTEGER) AS id`

/** Stores a block of ids that the remote leased to this device. */
export async function keepLease(tx: Tx, lease: { table: string; first_id: number; last_id: number }): Promise<void> {
  await tx.run(deleteUsed, {})
  await tx.run(insertRow, { table_name: lease.table, next_id: lease.first_id, last_id: lease.last_id, created_at: tx.now })
}

/** The number of a table's unused leased ids. */
export async function countLeased(reader: Reader, table_name: string): Promise<number> {
  const leases = await reader.all(sumLeft, { table_name })
  return leases.reduce((sum, { next_id, last_id }) => sum + Math.max(0, last_id - next_id + 1), 0)
}

/** Drops all leases: another device may have used the ids. */
export async function dropLeases(tx: Tx): Promise<void> {
  await tx.run(deleteAll, {})
}

/**
 * A new record's identity on a replica: a leased, final id. Without a lease, and for records that nothing refers to by id, a provisional id below
 * zero from a counter that never repeats. A restored remote may lease ids again that local records still have: those are skipped.
 */
export async function mintIdentity(tx: Tx, table: MintedTable): Promise<Identity> {
  let leased: number | undefined
  if (table !== 'activities')
    do leased = await idOf(tx.writeAll(takeText, [table]))
    while (leased !== undefined && (await tx.writeAll(`SELECT 1 FROM ${table} WHERE id = ?`, [leased])).length > 0)
  return { id: leased ?? (await idOf(tx.writeAll(provisionalText, [tx.now]))) ?? 0, uid: tx.clock.uid() }
}

async function idOf(rows: Promise<ReadonlyArray<{ readonly id?: unknown }>>): Promise<number | undefined> {
  const [row] = await rows
  return typeof row?.id === 'number' ? row.id : undefined
}
