import type { Cell, TablePart } from '#shared/contract/sync'
import { sharedRecords } from './shared-records'
import type { Tx } from '../core/store'
import { sharedTables } from './undo-triggers'

/** The tables of a snapshot, parents first. */
export const stagedTables: readonly string[] = ['blobs', ...sharedTables]

/** Stages rows of a snapshot until it is complete. */
export async function stageRows(tx: Tx, parts: readonly TablePart[]): Promise<void> {
  for (const { name, columns, rows } of parts)
    await tx.write('INSERT INTO sync_staged (table_name, columns, rows) VALUES (?, ?, ?)', [
      name,
      JSON.stringify(columns),
      JSON.stringify(rows),
    ])
}

/** The staged rows of a table, in order of arrival. */
export async function* readStaged(tx: Tx, table: string): AsyncGenerator<TablePart> {
  for (let after = 0; ;) {
    const [row] = await tx.writeAll('SELECT id, columns, rows FROM sync_staged WHERE table_name = +? AND id > ? ORDER BY id LIMIT 1', [
      table,
      after,
    ])
    if (!row) return
    // `stageRows` wrote these rows.
    yield { name: table, columns: JSON.parse(String(row.columns)) as string[], rows: JSON.parse(String(row.rows)) as Cell[][] }
    after = Number(row.id)
  }
}

/** Deletes all staged rows. */
export async function dropStaged(tx: Tx): Promise<void> {
  await tx.write('DELETE FROM sync_staged', [])
}

/** The staged ids of a table, as SQL. */
const stagedIds = `SELECT each.value ->> (SELECT key FROM json_each(columns) WHERE value = 'id')
  FROM sync_staged, json_each(sync_staged.rows) AS each WHERE table_name = ?`

/** Local records that a complete snapshot lacks, by table. */
export function listUnmarked(tx: Tx): Promise<Array<{ table: string; ids: number[] }>> {
  return Promise.all(
    sharedRecords.map(async ({ table }) => {
      const rows = await tx.writeAll(`SELECT id FROM ${table} WHERE id NOT IN (${stagedIds})`, [table])
      return { table, ids: rows.map(({ id }) => Number(id)) }
    }),
  )
}

/** Removes entries of the trail that a complete snapshot lacks: they belong to a history that was undone. */
export async function sweepTrail(tx: Tx): Promise<void> {
  await tx.write(`DELETE FROM activities WHERE id NOT IN (${stagedIds})`, ['activities'])
}
