import type { NewRow, RecordTable, Row } from '#db/schema'
import type { Tx } from './store'

/** Whose data a record is: what decides which replicas get it. */
export interface Scope {
  readonly organization_id: number | null
  readonly user_id?: number | null
}

type LoggedAs = Pick<Row<'change_log'>, 'changed' | 'actor_user_id'>

type Managed = 'id' | 'uid' | 'version' | 'created_at' | 'updated_at' | 'deleted_at'
/** The attributes that a caller gives a new record; identity, version and instants come from the transaction. */
export type NewRecord<T extends RecordTable> = Omit<NewRow<T>, Managed>
/** Attributes to change on a record. */
export type Changes<T extends RecordTable> = Partial<Omit<Row<T>, Exclude<Managed, 'deleted_at'>>>

/** Stores a new record and its change-log row; returns what was stored. */
export async function insertRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  { values, scope }: { values: NewRecord<T>; scope: Scope },
): Promise<Row<T>> {
  const stored = { ...values, ...(await tx.mint(table)), created_at: tx.now, updated_at: tx.now }
  const columns = Object.keys(stored)
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  // The column names come from typed callers, and the row from the table they name.
  const { lastInsertRowid } = (await tx.write(text, Object.values(stored))) as { lastInsertRowid: number }
  const row = await read(tx, table, lastInsertRowid)
  await logChange(tx, { table, row, operation: 'insert', changed: columns, scope })
  return row
}

/** Changes a record, raising its version, with its change-log row; returns what is stored. Nothing to change: nothing is written. */
export async function updateRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  { row, changes, scope }: { row: Row<T>; changes: Changes<T>; scope: Scope },
): Promise<Row<T>> {
  const before = new Map<string, unknown>(Object.entries(row))
  const changed = Object.entries(changes).filter(([column, value]) => value !== undefined && before.get(column) !== value)
  return changed.length === 0 ? row : write(tx, table, { row, changed, scope, operation: 'update' })
}

/** What of a record has changed where only its comments have. */
const commentsOnly = JSON.stringify(['comments'])

/** Whether a change of a record is that a user has commented on it: no news to that user. */
export function isOwnComment({ changed, actor_user_id }: LoggedAs, user_id: number): boolean {
  return changed === commentsOnly && actor_user_id === user_id
}

/** Raises a record's version because something that belongs to it has changed: a receipt, a comment, its tags; the log names `part`. */
export async function touchRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  { row, scope, part }: { row: Row<T>; scope: Scope; part?: 'comments' | 'receipts' },
): Promise<Row<T>> {
  return write(tx, table, { row, changed: [], part, scope, operation: 'update' })
}

/** Marks a record as deleted: final outside, kept inside for history, sync and audit. */
export async function deleteRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  { row, scope }: { row: Row<T>; scope: Scope },
): Promise<Row<T>> {
  return write(tx, table, { row, changed: [['deleted_at', tx.now]], scope, operation: 'delete' })
}

interface Write<T extends RecordTable> {
  row: Row<T>
  changed: Array<[column: string, value: unknown]>
  part?: string
  scope: Scope
  operation: 'update' | 'delete'
}

async function write<T extends RecordTable>(
  tx: Tx,
  table: T,
  { row, changed, part, scope, operation }: Write<T>,
): Promise<Row<T>> {
  const sets = [...changed.map(([column]) => `${column} = ?`), 'version = version + 1', 'updated_at = ?']
  const values = [...changed.map(([, value]) => value), tx.now, idOf(row)]
  await tx.write(`UPDATE ${table} SET ${sets.join(', ')} WHERE id = ?`, values)
  const stored = await read(tx, table, idOf(row))
  await logChange(tx, {
    table,
    row: stored,
    operation,
    changed: part === undefined ? changed.map(([column]) => column) : [part],
    scope,
  })
  return stored
}

/** Not RETURNING: it makes SQLite open a savepoint, at which the full-text index writes out what it has gathered. */
async function read<T extends RecordTable>(tx: Tx, table: T, id: number): Promise<Row<T>> {
  return (await tx.write(`SELECT * FROM ${table} WHERE id = ?`, [id])) as Row<T>
}

const logText = `INSERT INTO change_log (nonce, organization_id, user_id, table_name, record_id, record_uid, version, operation,
  changed, actor_user_id, op_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

interface LoggedChange<T extends RecordTable> {
  table: T
  row: Row<T>
  operation: 'insert' | 'update' | 'delete'
  changed: string[]
  scope: Scope
}

async function logChange<T extends RecordTable>(
  tx: Tx,
  { table, row, operation, changed, scope }: LoggedChange<T>,
): Promise<void> {
  const { uid, version } = identityOf(row)
  // An insertion returns the number of its row.
  const { lastInsertRowid } = (await tx.write(logText, [
    tx.clock.secret(8),
    scope.organization_id,
    scope.user_id ?? null,
    table,
    idOf(row),
    uid,
    version,
    operation,
    JSON.stringify(changed),
    tx.actor.user_id,
    tx.actor.op_id ?? null,
    tx.now,
  ])) as { lastInsertRowid: number }
  tx.noteChange(lastInsertRowid)
}

/** Every record has these; the compiler cannot see it through a generic table name. */
function identityOf(row: object): { id: number; uid: string; version: number } {
  return row as { id: number; uid: string; version: number }
}
function idOf(row: object): number {
  return identityOf(row).id
}
