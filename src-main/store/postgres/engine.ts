import pg from 'pg'
import type { CompiledQuery } from 'kysely'
import type { Clock } from '#main/clock'
import { DomainError } from '#shared/domain/errors'
import { DatabaseError } from '../core/database-error'
import type { Engine } from '../core/engine'
import { Reader } from '../core/reader'
import type { RowsOf } from '../core/read-process'
import { PostgresConnection } from './connection'
import { isConnectionFault, persist } from './faults'
import { migratePostgres } from './migrate'
import { type Owner, becomeOwner } from './owner'
import { connectionTo } from './session'
import { PostgresWriter } from './writer'

/** How long a caller's query may take, and one of the server itself. */
const callersMs = 2_000
const serversMs = 600_000
const canceled = '57014'

/** The oldest PostgreSQL that is supported. */
const oldest = 15
/** How many connections a process reads with; it writes with another one. */
const readers = 8

/** Reads of committed data: each query sees what is committed when it begins, and runs again where a connection breaks. */
class PostgresReader extends Reader {
  readonly #pool: pg.Pool
  readonly #nowMs: () => number
  constructor(pool: pg.Pool, nowMs: () => number) {
    super(new PostgresConnection((query) => persist(() => query(pool), nowMs)))
    this.#pool = pool
    this.#nowMs = nowMs
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
  #isolated<T>(setting: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    return persist(() => this.#readIsolated(setting, read), this.#nowMs)
  }
  async #readIsolated<T>(setting: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let fault: Error | undefined
    try {
      await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;${setting}`)
      return await read(new Reader(new PostgresConnection((query) => query(client))))
    } catch (error) {
      if (error instanceof Error && isConnectionFault(error)) fault = error
      throw error
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

/** How a PostgreSQL database is opened: its owner is the one server that runs on it; commands open it at the same time. */
export interface PostgresOptions {
  readonly isOwner: boolean
  readonly clock: Pick<Clock, 'uid' | 'monotonicMs'>
}

/** Opens a PostgreSQL database and migrates it. Throws {@link DatabaseError}. */
export async function openPostgres(url: string, { isOwner, clock }: PostgresOptions): Promise<Engine> {
  const settings = connectionTo(url)
  const pool = new pg.Pool({ ...settings, max: readers, application_name: 'outlay' })
  // A connection that breaks is replaced by the next; what ran on it fails.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  let commits = 0
  let owner: Owner | undefined
  try {
    await prepare(pool)
    if (isOwner) owner = await becomeOwner(url, { token: clock.uid(), onCommit: () => void (commits += 1) })
  } catch (error) {
    await pool.end()
    throw asUnreachable(error)
  }
  const nowMs = () => clock.monotonicMs()
  const writing = new PostgresWriter({ config: { ...settings, application_name: 'outlay writes' }, token: owner?.token, nowMs })
  return {
    reader: new PostgresReader(pool, nowMs),
    writer: writing.connection,
    turns: writing.turns,
    file: undefined,
    begun: () => undefined,
    committed: () => void (commits += 1),
    revision: () => commits,
    close: async () => void (await Promise.all([pool.end(), writing.close(), owner?.leave()])),
  }
}

async function prepare(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ version: string; encoding: string }>(
      `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`,
    )
    const { version = '0', encoding } = rows[0] ?? {}
    if (Number(version) < oldest * 10_000) throw unreachable(`PostgreSQL ${Math.floor(Number(version) / 10_000)} is too old: ${oldest} or later is needed`)
    if (encoding !== 'UTF8') throw unreachable(`the encoding of the database is ${encoding ?? 'unknown'}: UTF8 is needed`)
    await migratePostgres(client)
  } finally {
    client.release()
  }
}

function unreachable(reason: string): DatabaseError {
  return new DatabaseError('unreachable', `The database cannot be used: ${reason}.`, reason)
}

function asUnreachable(error: unknown): unknown {
  return error instanceof DatabaseError || !(error instanceof Error) ? error : unreachable(error.message || String(error))
}
