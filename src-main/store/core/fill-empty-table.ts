import type { Tx } from './store'

/** Whether a table has no row. */
export async function isEmpty(tx: Tx, table: string): Promise<boolean> {
  return (await tx.writeAll(`SELECT 1 AS found FROM ${table} LIMIT 1`, [])).length === 0
}

/**
 * Fills an empty table with many rows, then creates its indexes, which costs a fraction of updating them row by row. It is one transaction: nobody
 * outside sees the table without its indexes.
 */
export async function fillEmptyTable<T>(tx: Tx, table: string, fill: () => Promise<T>): Promise<T> {
  const indexes = await tx.writeAll(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`, [
    table,
  ])
  for (const { name } of indexes) await tx.write(`DROP INDEX ${String(name)}`, [])
  const result = await fill()
  for (const { sql } of indexes) await tx.write(String(sql), [])
  return result
}
