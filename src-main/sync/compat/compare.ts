import { sql } from 'kysely'
import type { Reader } from '#main/store/store'
import { findConfirmed, listWriters } from '#main/store/sync-undo'
import { type CellRow, type Converted, findLocal } from './rows'

/** How what came differs from what is here: a version that somebody has made since, or only what no version counts. */
export type Difference = 'none' | 'new' | 'version' | 'detail'

/** Compares what came with what the remote has confirmed before, whatever is pending over it. */
export async function compare(reader: Reader, { table, row, links }: Converted): Promise<Difference> {
  const local = await findLocal(reader, table, row.id)
  if (!local) return 'new'
  const isWritten = (await listWriters(reader, table, String(row.id))).length > 0
  const confirmed = isWritten ? await findConfirmed(reader, table, String(row.id)) : undefined
  if (row.version !== (confirmed ? confirmed.version_before : local.version)) return 'version'
  // What is pending hides what was confirmed; the version alone tells.
  if (isWritten) return 'none'
  if (Object.entries(row).some(([column, value]) => (local[column] ?? null) !== value)) return 'detail'
  for (const link of links) if (!(await isSameLink(reader, link, row.id))) return 'detail'
  return 'none'
}

const linkOrder: Readonly<Record<string, { column: string; order: string }>> = {
  expense_tags: { column: 'expense_id', order: 'position' },
  reimbursement_tags: { column: 'reimbursement_id', order: 'position' },
  advancement_tags: { column: 'advancement_id', order: 'position' },
  accountability_expenses: { column: 'accountability_id', order: 'expense_id' },
}

async function isSameLink(reader: Reader, { table, rows }: Converted['links'][number], id: number): Promise<boolean> {
  const { column = '', order = '' } = linkOrder[table] ?? {}
  if (column === '') return true
  const { rows: here } = await sql<CellRow>`select * from ${sql.table(table)} where ${sql.ref(column)} = ${id}
    order by ${sql.ref(order)}`.execute(reader.db)
  const other = column === 'accountability_id' ? 'expense_id' : 'tag_id'
  return here.length === rows.length && here.every((row, index) => row[other] === rows[index]?.[other])
}
