import type { CompiledQuery, Kysely } from 'kysely'
import type { RecordTable, Schema } from '#db/schema'
import type { Cell } from '#shared/contract/sync'
import type { Dialect } from './dialect'
import type { ListStatement, Statement, Value } from './statement'

/** A value now, or a promise of it: SQLite answers at once, and a database behind a network later. */
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
  /** Kysely, for queries that are put together at run time. */
  readonly db: Kysely<Schema>
  /** The rows of a compiled statement. */
  all<P extends object, R>(statement: Statement<P, R>, parameters: P): Awaitable<R[]>
  /** The rows that belong to any of several ids, many ids a query. */
  allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): Awaitable<R[]>
  /** The first row of a compiled statement, if any. */
  first<P extends object, R>(statement: Statement<P, R>, parameters: P): Awaitable<R | undefined>
  /** The rows of a query as arrays of values: of two columns of the same name the first has its place, and the last its values. */
  cells(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Awaitable<Cells>
  /** The rows of a query that was put together at run time. */
  rows(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Awaitable<PlainRow[]>
}

/** Rows of a table to store, with a value for the same columns each. */
export interface NewRows {
  readonly table: RecordTable
  readonly columns: readonly string[]
  readonly rows: readonly PlainRow[]
}

/** What is set in one row of a table, by its id; its version is raised. */
export interface RowChange {
  readonly table: RecordTable
  readonly id: number
  readonly set: ReadonlyArray<readonly [column: string, value: unknown]>
}

/** What begins and ends a part of a transaction that is undone together: a step of some work, or one of the works that share a commit. */
export type SavepointText = `${'SAVEPOINT' | 'RELEASE' | 'ROLLBACK TO'} ${'step' | 'shared'}`

/** One connection to a database, for writing; texts have `?` where a parameter is. */
export interface Writable extends Queryable {
  /** Whether a transaction is open: SQLite ends one itself when the disk is full. */
  readonly isOpen: boolean
  /** Throws, where no transaction is open, what ended it. */
  assertOpen(): void
  /** Runs a compiled statement that returns no rows; resolves to how many rows it changed. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): Awaitable<number>
  /** The rows of a text that is made of column names, if it returns any. */
  write(text: string, parameters: readonly unknown[]): Awaitable<PlainRow[]>
  /**
   * Writes, as {@link write}, without waiting for an answer: a failure is thrown by whatever waits next, at the latest by the end of the savepoint or of
   * the transaction.
   */
  post(text: string, parameters: readonly unknown[]): void
  /** Stores rows; returns them as they are stored, in their order. */
  insert(rows: NewRows): Awaitable<PlainRow[]>
  /** Changes a row; returns it as it is stored. */
  update(change: RowChange): Awaitable<PlainRow>
  /** Appends rows to the change log; returns the number of the last. Nobody has to wait for it: it fails as what is posted does. */
  log(columns: readonly string[], rows: ReadonlyArray<readonly unknown[]>): Awaitable<number>
  /** Takes so many ids of a table that no row will be given; returns the last. */
  takeIds(table: string, count: number): Awaitable<number>
  savepoint(text: SavepointText): Awaitable<void>
}

/** What only a replica needs of the database that it writes; a replica is always on SQLite. */
export interface ReplicaWrites {
  /** From now on, what is written is also noted so that it can be undone, as part of this operation; null: no more. */
  capture(operation: number | null): void
  /** Runs texts that are written once and run once. */
  exec(texts: readonly string[]): void
}

/** So many rows of so many places, as `VALUES` has them. */
export function rowsOfPlaces(columns: number, rows: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`
  return Array.from({ length: rows }, () => row).join(', ')
}
