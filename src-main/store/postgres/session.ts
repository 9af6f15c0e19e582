import pg from 'pg'
import { Lifetime } from '#main/lifetime'
import type { Client } from './connection'
import { isConnectionFault } from './faults'

/** A connection that notices its end: pending queries then fail, even where the driver would leave them waiting. */
export interface Session {
  run<T>(query: (client: Client) => Promise<T>): Promise<T>
  readonly isBroken: () => boolean
  /** The history of the database that the connection writes; a standby that takes over begins another one. Undefined if unknown. */
  readonly history: string | undefined
  end(): Promise<void>
}

/** The database notices within half a minute when a connection's machine is gone, and releases its locks. */
export const keepAlive = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'
/** A transaction that idles with a lock, or waits too long for one, is ended. */
const settings = `${keepAlive}; SET idle_in_transaction_session_timeout = '60s'; SET lock_timeout = '15s'`

const hostsHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|)$/

/** Connection settings of an address: over a network encrypted, with the server's certificate checked, unless its `sslmode` says otherwise. */
export function connectionTo(url: string): pg.ClientConfig {
  const { hostname, searchParams } = new URL(url)
  const isPlain = hostsHere.test(hostname) || searchParams.has('sslmode') || searchParams.has('host')
  return { connectionString: url, connectionTimeoutMillis: 5_000, ...(isPlain ? {} : { ssl: true }) }
}

/** Runs work on a client one after another: the driver takes one query at a time. */
export function takingTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Sends everything written to a connection until the end of this turn together: each send costs as much as several statements. */
function sendTogether({ connection: { stream } }: pg.Client): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Connects to a database for writing. Queries are sent in order, without waiting for earlier responses. */
export async function openSession(config: pg.ClientConfig): Promise<Session> {
  const client = new pg.Client({ keepAlive: true, pipeline: true, ...config })
  let isBroken = false
  const lifetime = new Lifetime<Error>()
  const noteEnd = (error = new Error('The connection has ended.')) => {
    isBroken = true
    lifetime.end(error)
  }
  client.on('error', noteEnd)
  client.on('end', () => noteEnd())
  await client.connect()
  const run = async <T>(query: (client: Client) => Promise<T>): Promise<T> => {
    try {
      sendTogether(client)
      const answer = await lifetime.during(query(client))
      if (answer instanceof Error) throw answer
      return answer
    } catch (error) {
      isBroken ||= isConnectionFault(error)
      throw error
    }
  }
  const end = () => client.end().catch(() => undefined)
  try {
    await run((one) => one.query(settings))
    return { run, isBroken: () => isBroken, history: await run(readHistory), end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Reads the timeline: the first part of the name of PostgreSQL's current log file. */
async function readHistory(client: Client): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS file')
    return rows[0]?.file.slice(0, 8)
  } catch (error) {
    // Services that imitate PostgreSQL lack this function, and some forbid it.
    if (error instanceof pg.DatabaseError && !isConnectionFault(error)) return undefined
    throw error
  }
}
