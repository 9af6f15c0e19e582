import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Schema } from '#db/schema'
import type { Connection } from './connection'
import type { Dialect } from './dialect'
import { KeptResults } from './kept-results'
import { KeptRows } from './kept-rows'
import type { Cells, PlainRow, Queryable } from './queryable'
import type { ReadProcess, RowsOf } from './read-process'
import type { ListStatement, Statement, Value } from './statement'

/** A query that identifies a kept result. */
export type Asked = Pick<CompiledQuery, 'sql' | 'parameters'>

type Queries = ReadonlyArray<CompiledQuery<unknown>>

/** The time limit of a caller's query. The server's own queries have another. */
const callersMs = 2_000
const serversMs = 600_000

/** Reads of committed data. */
export class Reader {
  readonly #connection: Queryable
  constructor(connection: Queryable) {
    this.#connection = connection
  }
  get dialect(): Dialect {
    return this.#connection.dialect
  }
  /** Kysely, for queries that are built at run time. */
  get db(): Kysely<Schema> {
    return this.#connection.db
  }
  all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    return Promise.resolve(this.#connection.all(statement, parameters))
  }
  /** The rows that belong to any of several ids. */
  allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): Promise<R[]> {
    return Promise.resolve(this.#connection.allOf(statement, ids))
  }
  first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined> {
    return Promise.resolve(this.#connection.first(statement, parameters))
  }
  /**
   * The rows of a query as arrays of values. If two columns have the same name, the position is the first one's and the values are the last one's.
   */
  cells(query: RawBuilder<unknown>): Promise<Cells> {
    return Promise.resolve(this.#connection.cells(query.compile(this.db)))
  }
  /** Whether the database can be read now. Resolves within a second. */
  async isReadable(): Promise<boolean> {
    try {
      await this.cells(sql`select id from activities limit 1`)
      return true
    } catch {
      return false
    }
  }
  /** Runs reads that must see the same moment, with a reader for that moment. */
  atOneMoment<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    return read(this)
  }
  /** The result of a costly query; a reader of committed data keeps it until the next commit. */
  remember<T>(_query: Asked, run: () => Promise<T>): Promise<T> {
    return run()
  }
  /** The rows of a query that reads much, for the server itself: like {@link readApart}, without a time limit. */
  async allApart<R>(query: CompiledQuery<R>): Promise<R[]> {
    return (await this.readApart([query], {}))[0]
  }
  /**
   * The rows of queries that read much, for a caller. A reader of committed data keeps them until the next commit and reads them in another process
   * if there is one, which ends queries that take too long and throws {@link DomainError}.
   */
  async readApart<const Q extends Queries>(queries: Q, _for: { readonly user_id?: number }): Promise<RowsOf<Q>> {
    return this.readHere(queries)
  }
  /** The rows of queries that read little. */
  async readHere<const Q extends Queries>(queries: Q): Promise<RowsOf<Q>> {
    const rows: PlainRow[][] = []
    for (const query of queries) rows.push(await this.#connection.rows(query))
    // One list of rows for each query.
    return rows as RowsOf<Q>
  }
}

/** Reads of one moment. A count is kept for the next page. */
export class MomentReader extends Reader {
  readonly #results = new LRUCache<string, object>({ max: 500 })

  override async remember<T>({ sql, parameters }: Asked, run: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([sql, parameters])
    const kept = this.#results.get(key)
    // The key is the whole query, so the kept value has this query's type.
    if (kept) return (kept as { value: T }).value
    const value = await run()
    this.#results.set(key, { value })
    return value
  }
}

/**
 * Combines this process's number of commits with SQLite's counter of other processes' commits: exact up to 134 million of each, which is years of one
 * commit a second.
 */
export function toRevision({ commits, version }: { commits: number; version: number }): number {
  return commits * 2 ** 26 + (version % 2 ** 26)
}

/** Reads that keep counts, sums and frequent results until the next commit of any process. */
export class CommittedReader extends Reader {
  readonly #connection: Connection
  readonly #commits: () => number
  readonly #process: ReadProcess | undefined
  readonly #results = new KeptResults()
  readonly #kept = new KeptRows()
  /** `commits`: this process's number of commits. */
  constructor(connection: Connection, { commits, process }: { commits: () => number; process: ReadProcess | undefined }) {
    super(connection)
    this.#connection = connection
    this.#commits = commits
    this.#process = process
  }
  override get db(): Kysely<Schema> {
    this.#connection.hold()
    return super.db
  }
  override all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    const version = this.#connection.hold()
    return statement.isKept ? Promise.resolve(this.#keptOf(version, statement, parameters)) : super.all(statement, parameters)
  }
  override allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): Promise<R[]> {
    const version = this.#connection.hold()
    const { keptBy } = statement
    if (keptBy === undefined) return super.allOf(statement, ids)
    const load = (missing: readonly I[]) => Map.groupBy(this.#connection.allOf(statement, missing), (row) => row[keptBy])
    return Promise.resolve(this.#kept.rowsOf(version, { statement, ids, load }))
  }
  override first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined> {
    const version = this.#connection.hold()
    return statement.isKept ? Promise.resolve(this.#keptOf(version, statement, parameters)[0]) : super.first(statement, parameters)
  }
  #keptOf<P extends object, R>(version: number, statement: Statement<P, R>, parameters: P): R[] {
    const key = JSON.stringify(parameters)
    return this.#kept.rows(version, { statement, key, load: () => this.#connection.all(statement, parameters) })
  }
  override readHere<const Q extends Queries>(queries: Q): Promise<RowsOf<Q>> {
    this.#connection.hold()
    return super.readHere(queries)
  }
  override remember<T>(query: Asked, run: () => Promise<T>): Promise<T> {
    return this.#results.of(query, { revision: () => this.#revision(), run })
  }
  /** Changes with every commit; belongs to the moment that this turn's reads see. */
  #revision(): number {
    return toRevision({ commits: this.#commits(), version: this.#connection.hold() })
  }
  override readApart<const Q extends Queries>(queries: Q, { user_id }: { readonly user_id?: number }): Promise<RowsOf<Q>> {
    const asked = { sql: queries.map(({ sql }) => sql).join(';'), parameters: queries.flatMap(({ parameters }) => parameters) }
    const turn = { owner: user_id, timeoutMs: user_id === undefined ? serversMs : callersMs }
    return this.remember(asked, () => this.#process?.all(queries, turn) ?? super.readApart(queries, { user_id }))
  }
}
