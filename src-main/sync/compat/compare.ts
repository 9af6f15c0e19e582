import type { Link } from '#shared/records/definition'
import { records } from '#shared/records/index'
import type { Reader } from '#main/store/core/store'
import { findRow, listRowsOf } from '#main/store/sync/remote-rows'
import { findConfirmed, listWriters } from '#main/store/sync/sync-undo'
import type { Converted } from './rows'

/** How an incoming record differs from the local one: in a version by someone else, or only in fields without a version. */
export type Difference = 'none' | 'new' | 'version' | 'detail'

/** Compares an incoming record with the confirmed one, below pending operations. */
export async function compare(reader: Reader, { table, row, links }: Converted): Promise<Difference> {
  const local = await findRow(reader, table, row.id)
  if (!local) return 'new'
  const isWritten = (await listWriters(reader, table, String(row.id))).length > 0
  const confirmed = isWritten ? await findConfirmed(reader, table, String(row.id)) : undefined
  if (row.version !== (confirmed ? confirmed.version_before : local.version)) return 'version'
  // A pending write hides the confirmed values; only the version can be compared.
  if (isWritten) return 'none'
  if (Object.entries(row).some(([column, value]) => (local[column] ?? null) !== value)) return 'detail'
  for (const link of links) if (!(await isSameLink(reader, link, row.id))) return 'detail'
  return 'none'
}

const links = new Map<string, Link>(records.flatMap(({ link }) => (link ? [[link.table, link]] : [])))

async function isSameLink(reader: Reader, { table, rows }: Converted['links'][number], id: number): Promise<boolean> {
  const link = links.get(table)
  if (!link) return true
  const { owner, column, order } = link
  const read = (list: typeof rows) => [...list].sort((a, b) => Number(a[order]) - Number(b[order])).map((row) => row[column])
  const here = read(await listRowsOf(reader, table, { column: owner, id }))
  const there = read(rows)
  return here.length === there.length && here.every((value, index) => value === there[index])
}
