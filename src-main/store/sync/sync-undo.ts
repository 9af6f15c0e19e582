import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { listStatement, statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

/** How to undo what an operation wrote to a row. */
export type UndoRow = Row<'sync_undo'>

const listOf = statement<{ operation: number }, UndoRow>((db, p) =>
  db.selectFrom('sync_undo').selectAll().where('operation', '=', p('operation')).orderBy('id'),
)
const among = (operations: RawBuilder<string>) => sql<SqlBool>`operation in (select value from json_each(${operations}))`
const listOfSeveral = statement<{ operations: string }, UndoRow>((db, p) =>
  db
    .selectFrom('sync_undo')
    .selectAll()
    .where(among(p('operations')))
    .orderBy('operation', 'desc')
    .orderBy('id', 'desc'),
)
const deleteOfSeveral = statement<{ operations: string }, unknown>((db, p) => db.deleteFrom('sync_undo').where(among(p('operations'))))
const findFirst = statement<{ table_name: string; record_key: string }, UndoRow>((db, p) =>
  db
    .selectFrom('sync_undo')
    .selectAll()
    .where('table_name', '=', p('table_name'))
    .where('record_key', '=', p('record_key'))
    .orderBy('id')
    .limit(1),
)
const listTouching = statement<{ table_name: string; record_key: string }, { operation: number }>((db, p) =>
  db
    .selectFrom('sync_undo')
    .select('operation')
    .distinct()
    .where('table_name', '=', p('table_name'))
    .where('record_key', '=', p('record_key')),
)
interface Writer {
  readonly operation: number
  readonly record_key: string
}
const listWriting = statement<{ table_name: string; record_keys: string }, Writer>((db, p) =>
  db
    .selectFrom('sync_undo')
    .select(['operation', 'record_key'])
    .distinct()
    .where('table_name', '=', p('table_name'))
    .where(sql<SqlBool>`record_key in (select value from json_each(${p('record_keys')}))`),
)
const listTouchedKeys = listStatement<number, { operation: number; table_name: string; record_key: string }>((db, operations) =>
  db.selectFrom('sync_undo').select(['operation', 'table_name', 'record_key']).where('operation', 'in', operations),
)

/** An operation's writes, in order. */
export function listWritten(reader: Reader, operation: number): Promise<UndoRow[]> {
  return reader.all(listOf, { operation })
}

/** The rows that some operations wrote. */
export function listTouched(reader: Reader, operations: readonly number[]) {
  return reader.allOf(listTouchedKeys, operations)
}

/** The unconfirmed operations that wrote any of some rows of a table. */
export function listWritersOf(reader: Reader, table_name: string, record_keys: readonly string[]): Promise<Writer[]> {
  return reader.all(listWriting, { table_name, record_keys: JSON.stringify(record_keys) })
}

/** The unconfirmed operations that wrote a row. */
export async function listWriters(reader: Reader, table_name: string, record_key: string): Promise<number[]> {
  return (await reader.all(listTouching, { table_name, record_key })).map(({ operation }) => operation)
}

/** A row as it was before all unconfirmed operations; undefined if none of them wrote it. */
export function findConfirmed(reader: Reader, table_name: string, record_key: string): Promise<UndoRow | undefined> {
  return reader.first(findFirst, { table_name, record_key })
}

/** Operations to read together: their undo statements are as long as the rows. */
const pageLength = 200

/**
 * Undoes operations, newest first, so that every row is as before; all operations that wrote the same rows are undone together. A row that this
 * transaction will overwrite completely stays until then, which saves deleting and inserting it with all its indexes. Returns the restored rows.
 */
export async function undoOperations(
  tx: Tx,
  operations: ReadonlySet<number>,
  { isOverwritten, takeTurn }: { isOverwritten: (row: UndoRow) => boolean; takeTurn: () => Promise<void> },
): Promise<UndoRow[]> {
  const undone: UndoRow[] = []
  const sorted = [...operations].sort((a, b) => b - a)
  for (let start = 0; start < sorted.length; start += pageLength) {
    const page = { operations: JSON.stringify(sorted.slice(start, start + pageLength)) }
    for (const row of await tx.all(listOfSeveral, page)) {
      if (isOverwritten(row)) continue
      await undo(tx, row)
      undone.push(row)
      await takeTurn()
    }
    await tx.run(deleteOfSeveral, page)
  }
  return undone
}

/** Most rows are new ones to delete again: that statement is prepared once per table. */
async function undo(tx: Tx, { table_name, record_key, statement: text }: UndoRow): Promise<void> {
  const removal = `DELETE FROM ${table_name} WHERE id = `
  if (text === `${removal}${record_key}`) await tx.write(`${removal}?`, [Number(record_key)])
  else tx.replica.exec([text])
}
