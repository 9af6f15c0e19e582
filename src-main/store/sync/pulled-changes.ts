import type { RecordTable } from '#db/schema'
import type { TablePart } from '#shared/contract/sync'
import { records } from '#shared/records/index'
import { appendToLog } from '../core/record-writer'
import type { Reader, Tx } from '../core/store'
import { findUid } from './sync-operations'
import type { UndoRow } from './sync-undo'

/** A record that what came from the remote may have changed. `uid`: the one it had before, where that is known. */
export interface PulledRecord {
  readonly table: RecordTable
  readonly id: number
  readonly uid: string | undefined
}

/** Stands in the log for all records: a snapshot has become the base. */
export const wholeBase = 'base'

/** The tables whose rows pages hear of, and those of their pairs with the column that names the record. */
const heard = new Map<string, { readonly table: RecordTable; readonly column: string }>(
  records
    // The addresses of users are read with them.
    .flatMap(({ table, link }) => (table === 'user_emails' ? [] : [{ table, link }]))
    .flatMap(({ table, link }) => [
      [table, { table, column: 'id' }] as const,
      ...(link ? [[link.table, { table, column: link.owner }] as const] : []),
    ]),
)

/** The records that some rows are, or belong to. */
export function recordsIn(parts: readonly TablePart[]): PulledRecord[] {
  return parts.flatMap(({ name, columns, rows }) => {
    const of = heard.get(name)
    if (!of) return []
    const [id, uid] = [columns.indexOf(of.column), of.column === 'id' ? columns.indexOf('uid') : -1]
    return rows.map((row) => ({ table: of.table, id: Number(row[id]), uid: uid < 0 ? undefined : String(row[uid]) }))
  })
}

/** The same of rows that were taken back: their keys begin with the record's id. */
export function recordsOf(rows: ReadonlyArray<Pick<UndoRow, 'table_name' | 'record_key' | 'record_uid'>>): PulledRecord[] {
  return rows.flatMap(({ table_name, record_key, record_uid }) => {
    const table = heard.get(table_name)?.table
    return table === undefined ? [] : [{ table, id: Number.parseInt(record_key, 10), uid: record_uid ?? undefined }]
  })
}

/** These records by their uids, as long as they are here. */
export async function recordsNamed(
  reader: Reader,
  refs: ReadonlyArray<{ readonly table: string; readonly id: number }>,
): Promise<PulledRecord[]> {
  const named: PulledRecord[] = []
  for (const ref of refs) {
    const table = heard.get(ref.table)?.table
    const uid = await findUid(reader, ref.table, ref.id)
    if (table !== undefined && uid !== undefined) named.push({ table, id: ref.id, uid })
  }
  return named
}

/** How many rows of the log one statement writes. */
const rowsTogether = 500

/** What the log says of a record that came from the remote, whose attributes are not compared. */
export const pulledChange = JSON.stringify(['pulled'])

/**
 * Writes a line into the change log for each of these records as it is now, so that open pages hear what an exchange has changed like
 * any other change. Nobody here made these changes: the lines have no actor and no operation.
 */
export async function logPulled(tx: Tx, pulled: readonly PulledRecord[]): Promise<void> {
  const present: Line[] = []
  for (const [table, some] of Map.groupBy(pulled, (one) => one.table)) {
    const ids = JSON.stringify([...new Set(some.map(({ id }) => id))])
    const text = `SELECT id, uid, version, deleted_at FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`
    for (const { id, uid, version, deleted_at } of await tx.writeAll(text, [ids]))
      present.push({ table, id: Number(id), uid: String(uid), version: Number(version), isGone: deleted_at !== null })
  }
  const known = new Set(present.map(({ uid }) => uid))
  // A record that has another id now is not gone.
  const gone = new Map(pulled.flatMap(({ table, id, uid }) => (uid === undefined || known.has(uid) ? [] : [[uid, { table, id, uid }]])))
  const lines = [...[...gone.values()].map((one) => ({ ...one, version: 0, isGone: true })), ...present]
  for (let start = 0; start < lines.length; start += rowsTogether)
    appendToLog(
      tx,
      lines
        .slice(start, start + rowsTogether)
        .map(({ table, id, uid, version, isGone }) => ({
          table,
          record: { id, uid, version },
          operation: isGone ? 'delete' : 'update',
          changed: pulledChange,
          scope: { organization_id: null, user_id: tx.actor.user_id },
          actor: null,
        })),
    )
}

interface Line {
  readonly table: RecordTable
  readonly id: number
  readonly uid: string
  readonly version: number
  readonly isGone: boolean
}

/** Writes a line into the change log that stands for all records: open pages read everything again. */
export function logWholeBase(tx: Tx): void {
  const record = { id: 0, uid: wholeBase, version: 0 }
  const scope = { organization_id: null, user_id: tx.actor.user_id }
  appendToLog(tx, [{ table: wholeBase, record, operation: 'update', changed: pulledChange, scope, actor: null }])
}
