import pg from 'pg'
import { Lifetime } from '#main/lifetime'
import type { Client } from './connection'
import { isConnectionFault } from './faults'

/** One connection, which knows once it has ended: what waits on it fails then, also where the driver would leave it waiting. */
export interface Session {
  run<T>(query: (client: Client) => Promise<T>): Promise<T>
  readonly isBroken: () => boolean
  /** Which history of the database the connection writes: a standby that takes over begins another one. Undefined: not known. */
  readonly history: string | undefined
  end(): Promise<void>
}

/** The database notices within half a minute that the machine of a connection is gone, and releases its locks. */
export const keepAlive = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'
/** One that stands still with a lock, or waits for one, gives up. */
const settings = `${keepAlive}; SET idle_in_transaction_session_timeout = '60s'; SET lock_timeout = '15s'`

const hostsHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|)$/

/** How an address is connected to: over a network encrypted, with the server's certificate checked, unless its `sslmode` says otherwise. */
export function connectionTo(url: string): pg.ClientConfig {
  const { hostname, searchParams } = new URL(url)
  const isPlain = hostsHere.test(hostname) || searchParams.has('sslmode') || searchParams.has('host')
  return { connectionString: url, connectionTimeoutMillis: 5_000, ...(isPlain ? {} : { ssl: true }) }
}

/** Runs one after another what uses a client: the driver takes no query while another one runs. */
export function takingTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Has what is written to a connection from now until the end of this turn sent together: each time costs as much as several statements do. */
function sendTogether({ connection: { stream } }: pg.Client): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Connects to a database, for writing. Queries are sent in their order, whether or not those before them are answered. */
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

/** The timeline is the first part of the name of the file to which PostgreSQL logs now. */
async function readHistory(client: Client): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS file')
    return rows[0]?.file.slice(0, 8)
  } catch (error) {
    // Services that only speak like PostgreSQL do not have it, and some forbid it.
    if (error instanceof pg.DatabaseError && !isConnectionFault(error)) return undefined
    throw error
  }
}
