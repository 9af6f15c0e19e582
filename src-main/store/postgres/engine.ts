import pg from 'pg'
import type { Clock } from '#main/clock'
import { DatabaseError } from '../core/database-error'
import type { Engine, Peers, SharedNotes } from '../core/engine'
import { sweepCommitMarks } from './commit-marks'
import { persist, retries, withOneDeadline } from './faults'
import { Kept } from './kept'
import { createNotes } from './notes'
import { migratePostgres } from './migrate'
import { createProbe } from './probe'
import { PostgresReader, look } from './reader'
import { Servers } from './servers'
import { connectionTo } from './session'
import { PostgresWriter } from './writer'

/** The oldest supported version of PostgreSQL. */
const oldest = 15
/** The number of reading connections per process, in addition to the one that writes. */
const readers = 8

/** How a PostgreSQL database is opened: by a server, which others can join if they share its files, or by a command. */
export interface PostgresOptions {
  readonly isOwner: boolean
  readonly sharesFiles?: boolean
  readonly clock: Pick<Clock, 'uid' | 'monotonicMs'>
}

/** Opens a PostgreSQL database and migrates it. Throws {@link DatabaseError}. */
export async function openPostgres(url: string, { isOwner, sharesFiles = false, clock }: PostgresOptions): Promise<Engine> {
  const settings = connectionTo(url)
  const pool = new pg.Pool({ ...settings, max: readers, application_name: 'outlay' })
  // The next query replaces a broken connection; queries on it fail.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const nowMs = () => clock.monotonicMs()
  const notes = createNotes((query) => persist(() => query(pool), nowMs))
  let commits = 0
  let server: Servers | undefined
  try {
    await prepare(pool)
    if (isOwner) await Promise.all([notes.sweep(), sweepCommitMarks(pool)])
    if (isOwner) server = await Servers.join(url, { token: clock.uid(), sharesFiles, nowMs })
  } catch (error) {
    await pool.end()
    throw asUnreachable(error)
  }
  const probe = createProbe(pool)
  const kept = new Kept({ look: () => look(pool, { nowMs, probe }), commits: () => commits, nowMs })
  pool.on('connect', () => kept.forget())
  const reader = new PostgresReader(pool, { nowMs, kept, probe })
  const writing = new PostgresWriter({ kept, config: { ...settings, application_name: 'outlay writes' }, name: clock.uid(), server, nowMs })
  return {
    reader,
    writer: writing.connection,
    turns: writing.turns,
    file: undefined,
    peers: server && peersOf(server, { notes, count: () => void (commits += 1) }),
    begun: () => undefined,
    asRequest: (work) => withOneDeadline(() => kept.asRequest(work), nowMs()),
    committed: () => {
      commits += 1
      server?.tellCommit()
    },
    snapshot: (read) => reader.atOneMoment(read),
    revision: () => commits,
    figures: () => ({
      retries: retries(),
      connections: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      work: server?.work ?? [],
    }),
    close: async () => void (await Promise.all([pool.end(), writing.close(), server?.leave()])),
  }
}

async function prepare(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ version: string; encoding: string }>(
      `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`,
    )
    const { version = '0', encoding } = rows[0] ?? {}
    if (Number(version) < oldest * 10_000)
      throw unreachable(`PostgreSQL ${Math.floor(Number(version) / 10_000)} is too old: ${oldest} or later is needed`)
    if (encoding !== 'UTF8') throw unreachable(`the encoding of the database is ${encoding ?? 'unknown'}: UTF8 is needed`)
    await migratePostgres(client)
  } finally {
    client.release()
  }
}

function unreachable(reason: string): DatabaseError {
  return new DatabaseError('unreachable', `The database cannot be used: ${reason}.`, reason)
}

/** PostgreSQL's code for missing permissions. */
const forbidden = '42501'

function asUnreachable(error: unknown): unknown {
  if (error instanceof DatabaseError || !(error instanceof Error)) return error
  // The driver's message says neither who is at fault nor what to do.
  const reason = /does not support SSL/.test(error.message)
    ? 'its connections are not encrypted: give it a certificate, or add ?sslmode=disable to its address where you trust the network'
    : error.message || String(error)
  const isForbidden = error instanceof pg.DatabaseError && error.code === forbidden
  return unreachable(
    isForbidden ? `${reason}. Its user must own the database, or own its tables and have CREATE on the schema public` : reason,
  )
}

/** The other servers. Their commits count in the revision before listeners are called. */
function peersOf(server: Servers, { notes, count }: { notes: SharedNotes; count: () => void }): Peers {
  return {
    notes,
    hear: ({ onCommit, onSignal }) => {
      const noteCommit = () => {
        count()
        onCommit()
      }
      server.hear({ onCommit: noteCommit, onSignal })
    },
    tell: (signal) => server.tell(signal),
    takeWork: (name) => server.takeWork(name),
    hasWork: (name) => server.hasWork(name),
  }
}
