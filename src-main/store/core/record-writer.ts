import type { NewRow, RecordTable, Row } from '#db/schema'
import type { Actor, Tx } from './store'

/** Who owns a record's data: decides which replicas get it. */
export interface Scope {
  readonly organization_id: number | null
  readonly user_id?: number | null
}

type Managed = 'id' | 'uid' | 'version' | 'created_at' | 'updated_at' | 'deleted_at'
/** The attributes that a caller gives a new record. The transaction adds identity, version and instants. */
export type NewRecord<T extends RecordTable> = Omit<NewRow<T>, Managed>
/** Attributes to change on a record. */
export type Changes<T extends RecordTable> = Partial<Omit<Row<T>, Exclude<Managed, 'deleted_at'>>>

interface Insertion<T extends RecordTable> {
  readonly values: NewRecord<T>
  readonly scope: Scope
  /** The same transaction on behalf of the user who stores the row, if several users write in it. */
  readonly by?: Tx | undefined
}

/** Stores a new record and its change-log row; returns the stored record. */
export async function insertRecord<T extends RecordTable>(tx: Tx, table: T, insertion: Insertion<T>): Promise<Row<T>> {
  const [row] = await insertRecords(tx, table, [insertion])
  if (!row) throw new Error('A new record is not there.')
  return row
}

/**
 * Stores new records, all with values for the same columns, and their change-log rows; returns the stored records in order. All are stored in one
 * statement, or none: on a table with many indexes, beginning a statement costs as much as a row.
 */
export async function insertRecords<T extends RecordTable>(tx: Tx, table: T, insertions: ReadonlyArray<Insertion<T>>): Promise<Row<T>[]> {
  const stored: Array<Readonly<Record<string, unknown>>> = []
  for (const { values, by = tx } of insertions)
    stored.push({ ...values, ...(await by.mint(table)), created_at: tx.now, updated_at: tx.now })
  const columns = Object.keys(stored[0] ?? {})
  if (stored.some((one) => Object.keys(one).length !== columns.length || columns.some((column) => one[column] === undefined)))
    throw new Error('Records that are stored together have values for the same columns.')
  // Callers give typed columns, and the rows come from the named table.
  const rows = (await tx.insert({ table, columns, rows: stored })) as Row<T>[]
  const changes = rows.map((row, index) => ({ row, scope: { organization_id: null }, ...insertions[index] }))
  logChanges(tx, { table, operation: 'insert', changed: columns, changes })
  return rows
}

/** Changes a record, raises its version and adds a change-log row; returns the stored record. Writes nothing if nothing differs. */
export async function updateRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  { row, changes, scope }: { row: Row<T>; changes: Changes<T>; scope: Scope },
): Promise<Row<T>> {
  const before = new Map<string, unknown>(Object.entries(row))
  const changed = Object.entries(changes).filter(([column, value]) => value !== undefined && before.get(column) !== value)
  return changed.length === 0 ? row : write(tx, table, { row, changed, scope, operation: 'update' })
}

/** The change-log value when only comments have changed. */
const commentsOnly = JSON.stringify(['comments'])

/** Whether a change is only the user's own comment. */
export function isOwnComment({ changed, actor_user_id }: Pick<Row<'change_log'>, 'changed' | 'actor_user_id'>, user_id: number): boolean {
  return changed === commentsOnly && actor_user_id === user_id
}

/** Raises a record's version because a part of it has changed: a receipt, a comment, its tags. The log names the `part`. */
export async function touchRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  { row, scope, part }: { row: Row<T>; scope: Scope; part?: 'comments' | 'receipts' },
): Promise<Row<T>> {
  return write(tx, table, { row, changed: [], part, scope, operation: 'update' })
}

/** Marks a record as deleted: gone for callers, kept for history, sync and audit. */
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

async function write<T extends RecordTable>(tx: Tx, table: T, { row, changed, part, scope, operation }: Write<T>): Promise<Row<T>> {
  // The row comes from the named table.
  const stored = (await tx.update({ table, row: identityOf(row), set: [...changed, ['updated_at', tx.now]] })) as Row<T>
  logChanges(tx, {
    table,
    operation,
    changed: part === undefined ? changed.map(([column]) => column) : [part],
    changes: [{ row: stored, scope }],
  })
  return stored
}

/** A line of the change log. `actor`: who made the change; undefined for changes that sync brought. */
interface LogLine {
  readonly table: Row<'change_log'>['table_name']
  readonly record: { readonly id: number; readonly uid: string; readonly version: number }
  readonly operation: Row<'change_log'>['operation']
  /** The names of the changed attributes, as JSON. */
  readonly changed: string
  readonly scope: Scope
  readonly actor: Actor | null
}

const logColumns = [
  ...['nonce', 'organization_id', 'user_id', 'table_name', 'record_id', 'record_uid', 'version', 'operation', 'changed'],
  ...['actor_user_id', 'op_id', 'created_at'],
]

/** Appends lines to the change log, in one statement. */
export function appendToLog(tx: Tx, lines: readonly LogLine[]): void {
  const rows = lines.map(({ table, record: { id, uid, version }, operation, changed, scope, actor }) => {
    const whose = [scope.organization_id, scope.user_id ?? null]
    const who = [actor?.user_id ?? null, actor?.op_id ?? null]
    return [tx.clock.secret(8), ...whose, table, id, uid, version, operation, changed, ...who, tx.now]
  })
  tx.log(logColumns, rows)
}

interface LoggedChanges<T extends RecordTable> {
  table: T
  operation: 'insert' | 'update' | 'delete'
  changed: string[]
  changes: ReadonlyArray<{ readonly row: Row<T>; readonly scope: Scope; readonly by?: Tx | undefined }>
}

function logChanges<T extends RecordTable>(tx: Tx, { table, operation, changed: names, changes }: LoggedChanges<T>): void {
  const changed = JSON.stringify(names)
  appendToLog(
    tx,
    changes.map(({ row, scope, by = tx }) => ({ table, record: identityOf(row), operation, changed, scope, actor: by.actor })),
  )
}

/** Every record has these columns; the compiler cannot see it through a generic table name. */
function identityOf(row: object): LogLine['record'] {
  return row as LogLine['record']
}
