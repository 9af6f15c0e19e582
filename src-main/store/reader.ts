import type { CompiledQuery, Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Schema } from '#db/schema'
import type { Connection } from './connection'
import type { ReadThread } from './read-thread'
import type { ListStatement, Statement, Value } from './statement'

/** A query, or anything else that decides what is found. */
export type Asked = Pick<CompiledQuery, 'sql' | 'parameters'>

/** Reads of committed data. */
export class Reader {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }
  /** Kysely, for queries that are put together at run time. */
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
  /** The result of a costly query: a reader of committed data keeps it until something is committed. */
  remember<T>(_query: Asked, run: () => Promise<T>): Promise<T> {
    return run()
  }
  /** The rows of a query that reads much: a reader of committed data keeps them as above, and has a thread read them where there is one. */
  async allApart<R>(query: CompiledQuery<R>): Promise<R[]> {
    return (await this.db.executeQuery(query)).rows
  }
}

/** Reads that keep counts and sums until something is committed, by this process or by another. */
export class CommittedReader extends Reader {
  readonly #connection: Connection
  readonly #revision: () => number
  readonly #thread: ReadThread | undefined
  readonly #results = new LRUCache<string, object>({ max: 500 })
  #seen = -1
  constructor(connection: Connection, { revision, thread }: { revision: () => number; thread: ReadThread | undefined }) {
    super(connection)
    this.#connection = connection
    this.#revision = revision
    this.#thread = thread
  }
  override get db(): Kysely<Schema> {
    this.#connection.hold()
    return super.db
  }
  override all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    this.#connection.hold()
    return super.all(statement, parameters)
  }
  override allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): Promise<R[]> {
    this.#connection.hold()
    return super.allOf(statement, ids)
  }
  override first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined> {
    this.#connection.hold()
    return super.first(statement, parameters)
  }
  override async remember<T>({ sql, parameters }: Asked, run: () => Promise<T>): Promise<T> {
    const revision = this.#revision()
    if (revision !== this.#seen) this.#results.clear()
    this.#seen = revision
    const key = JSON.stringify([sql, parameters])
    const kept = this.#results.get(key)
    // The key is the whole query, so what is kept under it is what this query returns.
    if (kept) return (kept as { value: T }).value
    const value = await run()
    if (this.#revision() === revision) this.#results.set(key, { value })
    return value
  }
  override allApart<R>(query: CompiledQuery<R>): Promise<R[]> {
    return this.remember(query, () => this.#thread?.all(query) ?? super.allApart(query))
  }
}
