import type { Compilable, Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '#db/schema'

/** The values that SQLite binds and returns. */
export type Value = string | number | bigint | Uint8Array | null

/** A named parameter of a statement. */
export class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * A query written once with Kysely and compiled once per connection. Building and compiling a query costs several times as much as a read by key, so
 * queries that run on every request are statements.
 */
export interface Statement<P extends object, R> {
  readonly build: (db: Kysely<Schema>) => Compilable<R>
  /** Whether a reader of committed data keeps the rows until the next commit: for rows that are read often and rarely change. */
  readonly isKept?: boolean
  /** Exists in types only: the parameters of a run. */
  readonly parameters?: P
}

/** A query of rows that belong to any of several ids, compiled once per connection for each of a few lengths. */
export interface ListStatement<I extends Value, R> {
  readonly buildList: (db: Kysely<Schema>, ids: Array<RawBuilder<I>>) => Compilable<R>
  /** The column with the id to which a row belongs; its rows are kept as with `isKept`. */
  readonly keptBy?: keyof R & string
}

/** Declares a query by ids: `where('id', 'in', ids)`. */
export function listStatement<I extends Value, R>(
  buildList: ListStatement<I, R>['buildList'],
  options: Pick<ListStatement<I, R>, 'keptBy'> = {},
): ListStatement<I, R> {
  return { buildList, ...options }
}

/** Declares a statement; `p('name')` is a parameter of that name. */
export function statement<P extends object, R>(
  build: (db: Kysely<Schema>, p: <K extends keyof P & string>(name: K) => RawBuilder<P[K]>) => Compilable<R>,
  options: Pick<Statement<P, R>, 'isKept'> = {},
): Statement<P, R> {
  return { build: (db) => build(db, (name) => sql`${new Placeholder(name)}`), ...options }
}
