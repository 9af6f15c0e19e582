import type { CompiledQuery, Kysely } from 'kysely'
import type { RecordTable, Schema } from '#db/schema'
import type { Cell } from '#shared/contract/sync'
import type { Dialect } from './dialect'
import type { ListStatement, Statement, Value } from './statement'

/** A value now, or a promise of it: SQLite responds synchronously, a database behind a network later. */
export type Awaitable<T> = T | Promise<T>

/** Rows as arrays of values, in the order of their columns. */
export interface Cells {
  readonly columns: string[]
  readonly rows: Cell[][]
}

/** A row whose type the caller knows. */
export type PlainRow = Readonly<Record<string, unknown>>

/** One connection to a database, for reading. */
export interface Queryable {
  readonly dialect: Dialect
  /** Kysely, for queries that are built at run time. */
  readonly db: Kysely<Schema>
  /** The rows of a compiled statement. */
  all<P extends object, R>(statement: Statement<P, R>, parameters: P): Awaitable<R[]>
  /** The rows that belong to any of several ids; one query reads many ids. */
  allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): Awaitable<R[]>
  /** The first row of a compiled statement, if any. */
  first<P extends object, R>(statement: Statement<P, R>, parameters: P): Awaitable<R | undefined>
  /**
   * The rows of a query as arrays of values. If two columns have the same name, the position is the first one's and the values are the last one's.
   */
  cells(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Awaitable<Cells>
  /** The rows of a query that was built at run time. */
  rows(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Awaitable<PlainRow[]>
}

/** Rows to store in a table, all with values for the same columns. */
export interface NewRows {
  readonly table: RecordTable
  readonly columns: readonly string[]
  readonly rows: readonly PlainRow[]
}

/** The values to set in a row of a table, as the transaction has read it; raises its version. */
export interface RowChange {
  readonly table: RecordTable
  readonly row: { readonly id: number; readonly version: number }
  readonly set: ReadonlyArray<readonly [column: string, value: unknown]>
}

/** Begins or ends a part of a transaction that can be rolled back: a step, or one of several works that share a commit. */
export type SavepointText = `${'SAVEPOINT' | 'RELEASE' | 'ROLLBACK TO'} ${'step' | 'shared'}`

/** One connection to a database, for writing. SQL texts have `?` for a parameter. */
export interface Writable extends Queryable {
  /** Whether a transaction is open: SQLite ends one itself when the disk is full. */
  readonly isOpen: boolean
  /** If no transaction is open, throws the error that ended it. */
  assertOpen(): void
  /** Runs a compiled statement that returns no rows; resolves to the number of changed rows. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): Awaitable<number>
  /** Runs an SQL text built from column names; returns its rows, if any. */
  write(text: string, parameters: readonly unknown[]): Awaitable<PlainRow[]>
  /** Like {@link write}, without waiting: the next call that waits throws the failure, at the latest the end of the savepoint or transaction. */
  post(text: string, parameters: readonly unknown[]): void
  /** Stores rows; returns them as stored, in their order. */
  insert(rows: NewRows): Awaitable<PlainRow[]>
  /** Changes a row; returns it as stored. */
  update(change: RowChange): Awaitable<PlainRow>
  /** Appends rows to the change log; returns the number of the last one. Failures surface as in {@link post}. */
  log(columns: readonly string[], rows: ReadonlyArray<readonly unknown[]>): Awaitable<number>
  /** Reserves a number of a table's ids, which no row will get; returns the last one. */
  takeIds(table: string, count: number): Awaitable<number>
  savepoint(text: SavepointText): Awaitable<void>
}

/** What only replicas need of a database. A replica is always on SQLite. */
export interface ReplicaWrites {
  /** From now on records how to undo writes, as part of this operation. Null stops recording. */
  capture(operation: number | null): void
  /** Runs SQL texts without keeping them prepared. */
  exec(texts: readonly string[]): void
}

/** A `VALUES` list with this number of rows and columns. */
export function rowsOfPlaces(columns: number, rows: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`
  return Array.from({ length: rows }, () => row).join(', ')
}
