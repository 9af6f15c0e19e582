import type BetterSqlite3 from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Schema } from '#db/schema'
import { Placeholder, type Statement, type Value } from './statement'

interface Prepared {
  readonly run: BetterSqlite3.Statement<unknown[]>
  readonly parameters: readonly unknown[]
}

/** One SQLite connection with its prepared statements, and Kysely on the same handle for queries built at run time. */
export class Connection {
  readonly db: Kysely<Schema>
  readonly #prepared = new Map<object, Prepared>()
  readonly #texts = new Map<string, BetterSqlite3.Statement<unknown[]>>()

  constructor(readonly raw: BetterSqlite3.Database) {
    this.db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: raw }) })
  }

  /** The rows of a compiled statement. */
  all<P extends object, R>(statement: Statement<P, R>, parameters: P): R[] {
    const { run, parameters: places } = this.#prepare(statement)
    // The statement's type comes from the schema that the migrations made: this is the edge where rows become typed.
    return run.all(...bind(places, parameters)) as R[]
  }

  /** The first row of a compiled statement, if any. */
  first<P extends object, R>(statement: Statement<P, R>, parameters: P): R | undefined {
    const { run, parameters: places } = this.#prepare(statement)
    return run.get(...bind(places, parameters)) as R | undefined
  }

  /** Runs a compiled statement that returns no rows; answers how many rows it changed. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): number {
    const { run, parameters: places } = this.#prepare(statement)
    return run.run(...bind(places, parameters)).changes
  }

  /** A prepared statement for SQL text that is made of column names only, kept for the next call. */
  prepare(text: string): BetterSqlite3.Statement<unknown[]> {
    let prepared = this.#texts.get(text)
    if (!prepared) {
      prepared = this.raw.prepare<unknown[]>(text)
      this.#texts.set(text, prepared)
    }
    return prepared
  }

  #prepare<P extends object, R>(statement: Statement<P, R>): Prepared {
    let prepared = this.#prepared.get(statement)
    if (!prepared) {
      const { sql, parameters } = statement.build(this.db).compile()
      prepared = { run: this.raw.prepare<unknown[]>(sql), parameters }
      this.#prepared.set(statement, prepared)
    }
    return prepared
  }
}

function bind(places: readonly unknown[], parameters: object): unknown[] {
  const values = parameters as Readonly<Record<string, Value>>
  return places.map((place) => (place instanceof Placeholder ? values[place.name] : place))
}
