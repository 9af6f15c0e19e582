import pg from 'pg'
import type { CompiledQuery } from 'kysely'
import { DomainError } from '#shared/domain/errors'
import { type Asked, MomentReader, Reader } from '../core/reader'
import type { RowsOf } from '../core/read-process'
import type { ListStatement, Statement, Value } from '../core/statement'
import { PostgresConnection } from './connection'
import { isConnectionFault, persist } from './faults'
import { type Kept, type Look, keptRows, keptRowsOf } from './kept'
import { takingTurns } from './session'

/** The time limit of a caller's query. The server's own queries have another. */
const callersMs = 2_000
const serversMs = 600_000
const canceled = '57014'

/** Looks for changes in one query: the moment differs after every transaction that wrote. */
const lookText = 'SELECT steady_version::text AS steady, pg_current_snapshot()::text AS moment FROM log_head WHERE id = 1'

export async function look(pool: pg.Pool, { nowMs, probe }: { nowMs: () => number; probe: () => Promise<boolean> }): Promise<Look> {
  const { rows } = await persist(() => pool.query<Look>({ name: 'look', text: lookText }), nowMs, probe)
  if (!rows[0]) throw new Error('The head of the change log is not there.')
  return rows[0]
}

/** Reads of committed data. Each query sees what is committed when it begins, and is retried if a connection breaks. */
export class PostgresReader extends Reader {
  readonly #pool: pg.Pool
  readonly #nowMs: () => number
  readonly #kept: Kept
  readonly #probe: () => Promise<boolean>
  constructor(pool: pg.Pool, { nowMs, kept, probe }: { nowMs: () => number; kept: Kept; probe: () => Promise<boolean> }) {
    super(new PostgresConnection((query) => persist(() => query(pool), nowMs, probe)))
    this.#pool = pool
    this.#nowMs = nowMs
    this.#kept = kept
    this.#probe = probe
  }
  override all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    const load = () => super.all(statement, parameters)
    return statement.isKept ? keptRows(this.#kept, { statement, parameters, load }) : load()
  }
  override async first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined> {
    return (await this.all(statement, parameters))[0]
  }
  override allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): Promise<R[]> {
    return keptRowsOf(this.#kept, { statement, ids, load: (missing) => super.allOf(statement, missing) })
  }
  override remember<T>(query: Asked, run: () => Promise<T>): Promise<T> {
    return this.#kept.result(query, run)
  }
  override isReadable(): Promise<boolean> {
    return this.#probe()
  }
  override atOneMoment<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#isolated('', (reader) => read(reader))
  }
  override async readApart<const Q extends ReadonlyArray<CompiledQuery<unknown>>>(
    queries: Q,
    { user_id }: { readonly user_id?: number },
  ): Promise<RowsOf<Q>> {
    const timeoutMs = user_id === undefined ? serversMs : callersMs
    try {
      return await this.#isolated(`SET LOCAL statement_timeout = ${timeoutMs}`, (reader) => reader.readHere(queries))
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === canceled)
        throw new DomainError({ kind: 'not_possible', code: 'takes_too_long' })
      throw error
    }
  }
  /** Retries only after a connection fault; other errors of `read` are thrown unchanged. */
  async #isolated<T>(setting: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    const outcome = await persist(() => this.#readIsolated(setting, read), this.#nowMs, this.#probe)
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
  async #readIsolated<T>(
    setting: string,
    read: (reader: Reader) => Promise<T>,
  ): Promise<{ readonly value: T } | { readonly error: unknown }> {
    const client = await this.#pool.connect()
    let fault: Error | undefined
    const inTurn = takingTurns()
    const ask = <R>(query: (one: pg.PoolClient) => Promise<R>): Promise<R> =>
      inTurn(() => query(client)).catch((error: unknown) => {
        if (error instanceof Error && isConnectionFault(error)) fault = error
        throw error
      })
    try {
      await ask((one) => one.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;${setting}`))
      return { value: await read(new MomentReader(new PostgresConnection(ask))) }
    } catch (error) {
      if (fault) throw fault
      return { error }
    } finally {
      if (fault) client.release(fault)
      else
        await client.query('COMMIT').then(
          () => client.release(),
          (error: Error) => client.release(error),
        )
    }
  }
}
