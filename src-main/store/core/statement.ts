import type { Compilable, Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '#db/schema'

/** What SQLite binds and returns. */
export type Value = string | number | bigint | Uint8Array | null

/** A named place in a statement, filled at each run. */
export class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * A query written once with Kysely and compiled once per connection. Building and compiling a query on every call
 * costs several times what a read by key does, so what runs on every request is written as a statement.
 */
export interface Statement<P extends object, R> {
  readonly build: (db: Kysely<Schema>) => Compilable<R>
  /** Its rows change seldom and are asked for often: a reader of committed data keeps them until something is committed. */
  readonly isKept?: boolean
  /** Present at the type level only: the parameters that a run takes. */
  readonly parameters?: P
}

/** A query of the rows that belong to any of several ids, compiled once per connection for each of a few lengths. */
export interface ListStatement<I extends Value, R> {
  readonly buildList: (db: Kysely<Schema>, ids: Array<RawBuilder<I>>) => Compilable<R>
  /** As `isKept` of a statement: the column that holds the id to which a row belongs. */
  readonly keptBy?: keyof R & string
}

/** Declares a query by ids: `where('id', 'in', ids)`. */
export function listStatement<I extends Value, R>(
  buildList: ListStatement<I, R>['buildList'],
  options: Pick<ListStatement<I, R>, 'keptBy'> = {},
): ListStatement<I, R> {
  return { buildList, ...options }
}

/** Declares a statement; `p('name')` stands for a parameter of that name. */
export function statement<P extends object, R>(
  build: (db: Kysely<Schema>, p: <K extends keyof P & string>(name: K) => RawBuilder<P[K]>) => Compilable<R>,
  options: Pick<Statement<P, R>, 'isKept'> = {},
): Statement<P, R> {
  return { build: (db) => build(db, (name) => sql`${new Placeholder(name)}`), ...options }
}
