import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { listStatement, statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

type UndoRow = Row<'sync_undo'>

const listOf = statement<{ operation: number }, UndoRow>((db, p) =>
  db.selectFrom('sync_undo').selectAll().where('operation', '=', p('operation')).orderBy('id'),
)
const deleteOf = statement<{ operation: number }, unknown>((db, p) =>
  db.deleteFrom('sync_undo').where('operation', '=', p('operation')),
)
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

/** What an operation wrote, in the order in which it did. */
export function listWritten(reader: Reader, operation: number): Promise<UndoRow[]> {
  return reader.all(listOf, { operation })
}

/** The rows that some operations wrote. */
export function listTouched(reader: Reader, operations: readonly number[]) {
  return reader.allOf(listTouchedKeys, operations)
}

/** The operations not yet confirmed that wrote any of some rows of a table. */
export function listWritersOf(reader: Reader, table_name: string, record_keys: readonly string[]): Promise<Writer[]> {
  return reader.all(listWriting, { table_name, record_keys: JSON.stringify(record_keys) })
}

/** The operations not yet confirmed that wrote a row. */
export async function listWriters(reader: Reader, table_name: string, record_key: string): Promise<number[]> {
  return (await reader.all(listTouching, { table_name, record_key })).map(({ operation }) => operation)
}

/** What a row was before any operation that is not yet confirmed; undefined where none wrote it. */
export function findConfirmed(reader: Reader, table_name: string, record_key: string): Promise<UndoRow | undefined> {
  return reader.first(findFirst, { table_name, record_key })
}

/** Takes an operation back: every row is what it was before it. Operations after it that wrote the same rows go first. */
export async function undoOperation(tx: Tx, operation: number): Promise<void> {
  const written = await listWritten(tx, operation)
  await tx.exec(written.reverse().map(({ statement: text }) => text))
  await tx.run(deleteOf, { operation })
}

/** From now on an operation's effect is what the remote has confirmed, or nobody's. */
export async function forgetUndo(tx: Tx, operation: number): Promise<void> {
  await tx.run(deleteOf, { operation })
}
