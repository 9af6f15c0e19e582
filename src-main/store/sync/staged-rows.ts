import type { Cell, TablePart } from '#shared/contract/sync'
import { sharedRecords } from './shared-records'
import type { Tx } from '../core/store'
import { sharedTables } from './undo-triggers'

/** The tables that a snapshot may bring, parents first. */
export const stagedTables: readonly string[] = ['blobs', ...sharedTables]

/** Puts rows of a snapshot aside until all of it is there. */
export async function stageRows(tx: Tx, parts: readonly TablePart[]): Promise<void> {
  for (const { name, columns, rows } of parts)
    await tx.write('INSERT INTO sync_staged (table_name, columns, rows) VALUES (?, ?, ?)', [
      name,
      JSON.stringify(columns),
      JSON.stringify(rows),
    ])
}

/** The staged rows of a table, in the order in which they came. */
export async function* readStaged(tx: Tx, table: string): AsyncGenerator<TablePart> {
  for (let after = 0; ;) {
    const [row] = await tx.writeAll('SELECT id, columns, rows FROM sync_staged WHERE table_name = +? AND id > ? ORDER BY id LIMIT 1', [
      table,
      after,
    ])
    if (!row) return
    // What was staged is what `stageRows` wrote.
    yield { name: table, columns: JSON.parse(String(row.columns)) as string[], rows: JSON.parse(String(row.rows)) as Cell[][] }
    after = Number(row.id)
  }
}

/** Forgets what was staged. */
export async function dropStaged(tx: Tx): Promise<void> {
  await tx.write('DELETE FROM sync_staged', [])
}

/** The ids that were staged of a table, in SQL. */
const stagedIds = `SELECT each.value ->> (SELECT key FROM json_each(columns) WHERE value = 'id')
  FROM sync_staged, json_each(sync_staged.rows) AS each WHERE table_name = ?`

/** Records here that a whole snapshot did not bring, by table. */
export function listUnmarked(tx: Tx): Promise<Array<{ table: string; ids: number[] }>> {
  return Promise.all(
    sharedRecords.map(async ({ table }) => {
      const rows = await tx.writeAll(`SELECT id FROM ${table} WHERE id NOT IN (${stagedIds})`, [table])
      return { table, ids: rows.map(({ id }) => Number(id)) }
    }),
  )
}

/** Removes the entries of the trail that a whole snapshot did not bring: they are of a history that was taken back. */
export async function sweepTrail(tx: Tx): Promise<void> {
  await tx.write(`DELETE FROM activities WHERE id NOT IN (${stagedIds})`, ['activities'])
}
