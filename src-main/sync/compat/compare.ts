import type { Reader } from '#main/store/core/store'
import { findRow, listRowsOf } from '#main/store/sync/remote-rows'
import { findConfirmed, listWriters } from '#main/store/sync/sync-undo'
import type { Converted } from './rows'

/** How what came differs from what is here: a version that somebody has made since, or only what no version counts. */
export type Difference = 'none' | 'new' | 'version' | 'detail'

/** Compares what came with what the remote has confirmed before, whatever is pending over it. */
export async function compare(reader: Reader, { table, row, links }: Converted): Promise<Difference> {
  const local = await findRow(reader, table, row.id)
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

const linkColumns: Readonly<Record<string, { of: string; to: string; order: string }>> = {
  expense_tags: { of: 'expense_id', to: 'tag_id', order: 'position' },
  reimbursement_tags: { of: 'reimbursement_id', to: 'tag_id', order: 'position' },
  advancement_tags: { of: 'advancement_id', to: 'tag_id', order: 'position' },
  accountability_expenses: { of: 'accountability_id', to: 'expense_id', order: 'expense_id' },
  tag_restrictions: { of: 'tag_id', to: 'user_id', order: 'user_id' },
}

async function isSameLink(reader: Reader, { table, rows }: Converted['links'][number], id: number): Promise<boolean> {
  const columns = linkColumns[table]
  if (!columns) return true
  const { of, to, order } = columns
  const read = (list: typeof rows) => [...list].sort((a, b) => Number(a[order]) - Number(b[order])).map((row) => row[to])
  const here = read(await listRowsOf(reader, table, { column: of, id }))
  const there = read(rows)
  return here.length === there.length && here.every((value, index) => value === there[index])
}
