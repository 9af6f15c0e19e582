import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { DatabaseAway } from '../core/database-error'
import type { QueueWriter } from '../core/write-queue'
import type { PlainRow, RowChange, SavepointText } from '../core/queryable'
import { RowsAsRead } from '../core/rows-as-read'
import type { ListStatement, Statement, Value } from '../core/statement'
import { CommitMarks } from './commit-marks'
import { type Client, PostgresConnection, type RunQuery, isSteady, isSteadyList } from './connection'
import { asAway, isConnectionFault, persist } from './faults'
import { type Kept, keptRows, keptRowsOf } from './kept'
import { newer, schemaVersion } from './migrate'
import { tellServers } from './servers'
import { type Session, openSession } from './session'
import { mayWriteSteady } from '../core/steady-tables'

/** Locks and reads the row that every transaction locks first, and gets the transaction's number. */
const lockHead =
  'BEGIN; SELECT schema_version, steady_version::text AS steady, pg_current_xact_id()::text AS number FROM log_head WHERE id = 1 FOR UPDATE'

/** The responses to the two commands. */
const heads = z.tuple([
  z.unknown(),
  z.object({ rows: z.array(z.object({ schema_version: z.int(), steady: z.string(), number: z.string() })) }),
])
type Head = z.output<typeof heads>[1]['rows'][number]

interface Writing {
  readonly kept: Kept
  readonly config: pg.ClientConfig
  /** Unique to the process. */
  readonly name: string
  /** The writing server; undefined for a command. */
  readonly server: { readonly mayWrite: boolean } | undefined
  readonly nowMs: () => number
}

/** A writing connection that reads steady tables from the process's kept rows until its transaction writes to one. */
class PostgresWritingConnection extends PostgresConnection {
  readonly #kept: Kept
  /** Undefined after a possible write to a steady table. */
  #version: number | undefined
  readonly #asRead = new RowsAsRead()
  constructor(run: RunQuery, kept: Kept) {
    super(run)
    this.#kept = kept
  }
  begin(steady: string): void {
    this.noteBegin()
    this.#asRead.noteWrite()
    this.#version = this.#kept.noteSteady(steady)
  }
  override all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    const version = this.#version
    if (version === undefined || !statement.isKept || !isSteady(statement)) return this.#read(statement, parameters)
    return keptRows(this.#kept, { statement, parameters, version, load: () => super.all(statement, parameters) })
  }
  override allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): Promise<R[]> {
    const version = this.#version
    if (version === undefined || statement.keptBy === undefined || !isSteadyList(statement)) return super.allOf(statement, ids)
    return keptRowsOf(this.#kept, { statement, ids, version, load: (missing) => super.allOf(statement, missing) })
  }
  async #read<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    const at = this.#asRead.writes
    return this.#asRead.note(await super.all(statement, parameters), at)
  }
  /** Sends a change of an unchanged row without waiting: no other transaction writes, so its values are known. */
  override async update(change: RowChange): Promise<PlainRow> {
    const changed = this.#asRead.changed(change)
    if (!changed) return super.update(change)
    this.leave(super.update(change, 'id'))
    return changed
  }
  override savepoint(text: SavepointText): Promise<void> {
    if (text.startsWith('ROLLBACK')) this.#asRead.noteWrite()
    return super.savepoint(text)
  }
  protected override noteWrite(text: string): void {
    this.#asRead.noteWrite()
    if (mayWriteSteady(text)) this.#version = undefined
  }
}

/** How long work may join a commit: other servers wait meanwhile, at most 15 s. */
const joinMs = 500

/** How long to ask for the outcome of a commit whose response was lost. */
const outcomeMs = 10_000
const againMs = 200

/**
 * The writing side of a store. One transaction at a time writes, across all processes: each first locks the one row of `log_head`. So everything that
 * holds with SQLite's single writer still holds, and the numbers of the change log and the trail follow the order of commits. A connection that
 * breaks before the commit leaves nothing behind; if the commit's response is lost, the database is asked for the outcome.
 */
export class PostgresWriter {
  readonly connection: PostgresWritingConnection
  readonly turns: QueueWriter
  readonly #writing: Writing
  #session: Session | undefined
  readonly #marks: CommitMarks
  /** The database's number of the open or last transaction. */
  #number = ''
  constructor(writing: Writing) {
    this.#writing = writing
    this.#marks = new CommitMarks(writing.name)
    this.connection = new PostgresWritingConnection((query) => this.#perform(query), writing.kept)
    this.turns = {
      joinMs,
      begin: () => this.#begin(),
      isOpen: () => this.connection.isOpen,
      run: (text) => {
        if (text === 'COMMIT') return this.#commit()
        if (text === 'ROLLBACK') return this.#rollback()
        return this.connection.savepoint(text)
      },
    }
  }
  async close(): Promise<void> {
    await this.#session?.end()
  }

  async #perform<T>(query: (client: Client) => Promise<T>): Promise<T> {
    const session = this.#session
    if (!session || !this.connection.isOpen) throw new DatabaseAway('unchanged')
    try {
      return await session.run(query)
    } catch (error) {
      // The transaction ended with its connection, and so did its savepoints.
      if (session.isBroken()) this.connection.isOpen = false
      throw asAway(error)
    }
  }
  async #connect(): Promise<Session> {
    if (this.#session?.isBroken() === false) return this.#session
    await this.#session?.end()
    this.#session = undefined
    this.#session = await openSession(this.#writing.config)
    this.#writing.kept.forget()
    return this.#session
  }

  async #begin(): Promise<void> {
    const { server, nowMs } = this.#writing
    const head = await persist(() => this.#lockHead(), nowMs)
    const mayWrite = head?.schema_version === schemaVersion && server?.mayWrite !== false
    if (!head || !mayWrite) {
      await this.#rollback()
      throw head && head.schema_version !== schemaVersion ? newer(head.schema_version) : new DatabaseAway('taken')
    }
    this.#number = head.number
    this.connection.begin(head.steady)
  }
  async #lockHead(): Promise<Head | undefined> {
    const session = await this.#connect()
    try {
      // Both commands in one message save a round trip.
      const answered: unknown = await session.run((client) => client.query(lockHead))
      return heads.parse(answered)[1].rows[0]
    } catch (error) {
      await undo(session)
      throw error
    }
  }

  async #commit(): Promise<void> {
    const session = this.#session
    if (!session || !this.connection.isOpen) throw new DatabaseAway('unchanged')
    await this.connection.settle()
    this.connection.isOpen = false
    // Sent together with the commit: if it fails, PostgreSQL rolls back.
    session.run((client) => this.#marks.put(client)).catch(() => undefined)
    const command = await session
      .run((client) => client.query('COMMIT'))
      .then(
        (result) => result.command,
        (error: unknown) => this.#commitInDoubt(session, error),
      )
    // PostgreSQL answers COMMIT with a rollback if a statement of the transaction failed.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it failed.')
    // The data are stored, whether the servers hear of it now or with the next commit.
    if (!this.#writing.server) await session.run((client) => client.query(tellServers)).catch(() => undefined)
  }
  async #commitInDoubt(session: Session, error: unknown): Promise<string> {
    if (!isConnectionFault(error)) {
      await undo(session)
      throw asAway(error)
    }
    const outcome = await this.#findOutcome(session.history)
    if (outcome === 'committed') return 'COMMIT'
    throw new DatabaseAway(outcome, { cause: error })
  }
  /** Finds the outcome of a transaction whose commit got no response. It is stored exactly if its mark is. */
  async #findOutcome(history: string | undefined): Promise<'committed' | 'unchanged' | 'unknown'> {
    const { nowMs } = this.#writing
    const until = nowMs() + outcomeMs
    while (nowMs() < until) {
      const outcome = await this.#askOutcome(history).catch(() => 'in progress' as const)
      if (outcome !== 'in progress') return outcome
      await sleep(againMs)
    }
    return 'unknown'
  }
  async #askOutcome(history: string | undefined): Promise<'committed' | 'unchanged' | 'unknown' | 'in progress'> {
    const session = await this.#connect()
    // Another server took over: nobody knows whether data that only the old one stored will come back.
    if (history === undefined || session.history !== history) return 'unknown'
    const asked = { text: 'SELECT pg_xact_status($1::text::xid8) AS status', values: [this.#number] }
    const status = (await session.run((client) => client.query<{ status: string | null }>(asked))).rows[0]?.status
    if (status === 'in progress') return 'in progress'
    // Only now: earlier, a commit that is still running would be missed.
    if (await session.run((client) => this.#marks.isStored(client))) return 'committed'
    return status === null || status === undefined ? 'unknown' : 'unchanged'
  }
  async #rollback(): Promise<void> {
    this.connection.isOpen = false
    if (this.#session) await undo(this.#session)
  }
}

/** Rolls back a transaction. If the connection is broken, the database has done so. */
async function undo(session: Session): Promise<void> {
  if (session.isBroken()) return
  // A connection that cannot roll back is not used again.
  await session.run((client) => client.query('ROLLBACK')).catch(() => session.end())
}
