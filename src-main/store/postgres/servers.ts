import { hostname } from 'node:os'
import pg from 'pg'
import { z } from 'zod'
import { DatabaseError } from '../core/database-error'
import type { Heard } from '../core/engine'
import { type Signal, signalSchema } from '../core/signals'
import { connectionTo, keepAlive } from './session'

/** An arbitrary number for the lock that servers hold: shared by servers that share their files, exclusive otherwise. */
const serverLock = 4870_0002
/** An arbitrary class for the locks of background work. */
const workLocks = 4870
const channel = 'outlay_commits'

const againMs = 1_000
/** The least time between two notifications: a NOTIFY waits for those of all other sessions. */
const tellMs = 20
/** How often to look for commits of others: a connection may be dead, or a pooler may not pass notifications. */
const lookMs = 2_000
const answerMs = 10_000
/** How often to ask for work that another server does. */
const askWorkMs = 1_000
/** A notification has space for 8,000 bytes. */
const mostSignals = 50

/** Notifies the servers that a command has committed. */
export const tellServers = `NOTIFY ${channel}`

const told = z.object({ from: z.string(), signals: z.array(z.unknown()) })

interface Joining {
  /** Identifies this server among the others. */
  readonly token: string
  /** Whether its files are in a place that other servers reach: only then may there be others. */
  readonly sharesFiles: boolean
  readonly nowMs: () => number
}

/**
 * A server on a shared database. It notifies other servers of its commits and signals, receives theirs, and takes background work, all on a separate
 * connection. A broken connection is replaced; missed notifications count as a commit and as every signal. Background work is an advisory lock, which
 * PostgreSQL releases when the server or its machine ends.
 */
export class Servers {
  readonly #url: string
  readonly #joining: Joining
  #client: pg.Client | undefined
  #heard: Heard | undefined
  #again: NodeJS.Timeout | undefined
  #telling: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined
  #isOver = false
  /** Whether another server has taken the database for itself. */
  #isReplaced = false
  #seen = ''
  readonly #untold = new Map<string, Signal>()
  readonly #work = new Set<string>()
  readonly #askedAt = new Map<string, number>()
  /** The connection runs one query at a time. */
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(url: string, joining: Joining) {
    this.#url = url
    this.#joining = joining
  }

  /** Joins the servers on a database. Throws {@link DatabaseError} `in_use` if another server has it alone, or this one must have it alone. */
  static async join(url: string, joining: Joining): Promise<Servers> {
    const servers = new Servers(url, joining)
    await servers.#connect()
    servers.#looking = setInterval(() => void servers.#look(), lookMs).unref()
    return servers
  }

  get mayWrite(): boolean {
    return !this.#isReplaced
  }
  hear(heard: Heard): void {
    this.#heard = heard
  }
  tell(signal: Signal): void {
    this.#untold.set(JSON.stringify(signal), signal)
    this.tellCommit()
  }
  /** Notifies the other servers soon that this server has committed. */
  tellCommit(): void {
    if (!this.#isOver) this.#telling ??= setTimeout(() => void this.#tell(), tellMs)
  }
  /** The kinds of background work that this server does. */
  get work(): string[] {
    return [...this.#work]
  }
  hasWork(name: string): boolean {
    return this.#work.has(name)
  }
  async takeWork(name: string): Promise<boolean> {
    if (this.#work.has(name)) return true
    const { nowMs } = this.#joining
    if (nowMs() - (this.#askedAt.get(name) ?? -Infinity) < askWorkMs) return false
    this.#askedAt.set(name, nowMs())
    await this.#ask(name)
    return this.#work.has(name)
  }
  /** Leaves after a last notification; another server takes the work. */
  async leave(): Promise<void> {
    clearInterval(this.#looking)
    clearTimeout(this.#again)
    clearTimeout(this.#telling)
    if (this.#telling) await this.#tell()
    this.#isOver = true
    this.#work.clear()
    await this.#client?.end().catch(() => undefined)
  }

  /** The rows of a query, run after those before it; undefined if it fails or there is no connection. */
  #query<Row extends object>(client: pg.Client | undefined, query: pg.QueryConfig): Promise<Row[] | undefined> {
    const turn = this.#turn
      .then(() => client?.query<Row & pg.QueryResultRow>(query))
      .then(
        (result) => result?.rows,
        () => undefined,
      )
    this.#turn = turn
    return turn
  }
  async #ask(name: string): Promise<void> {
    const client = this.#client
    const text = `SELECT pg_try_advisory_lock(${workLocks}, hashtext($1)) AS taken`
    const rows = await this.#query<{ taken: boolean }>(client, { name: 'work', text, values: [name] })
    // A connection that broke meanwhile holds no locks.
    if (rows?.[0]?.taken === true && client === this.#client) this.#work.add(name)
  }
  async #tell(): Promise<void> {
    this.#telling = undefined
    const signals = [...this.#untold.values()]
    this.#untold.clear()
    const { token: from } = this.#joining
    const parts = Array.from({ length: Math.max(1, Math.ceil(signals.length / mostSignals)) }, (_, index) =>
      signals.slice(index * mostSignals, (index + 1) * mostSignals),
    )
    for (const part of parts)
      // If the notification is lost, the others find the commit when they look.
      await this.#query(this.#client, { text: 'SELECT pg_notify($1, $2)', values: [channel, JSON.stringify({ from, signals: part })] })
  }
  #listen(payload: string | undefined): void {
    const { from, signals } = readTold(payload)
    if (from === this.#joining.token) return
    this.#heard?.onCommit()
    for (const one of signals) {
      const signal = signalSchema.safeParse(one)
      // A newer server may send signals that this one does not know.
      if (signal.success) this.#heard?.onSignal(signal.data)
    }
  }
  /** Looks for commits without a notification: the snapshot differs after every transaction that wrote. */
  async #look(): Promise<void> {
    const client = this.#client
    const rows = await this.#query<{ seen: string }>(client, { text: 'SELECT pg_current_snapshot()::text AS seen' })
    // A connection that does not respond in time is replaced.
    if (!rows && client) this.#lose(client)
    if (!rows) return void client?.end().catch(() => undefined)
    const seen = rows[0]?.seen ?? ''
    if (seen === this.#seen) return
    this.#seen = seen
    this.#heard?.onCommit()
  }

  async #connect(): Promise<void> {
    const { sharesFiles } = this.#joining
    const settings = {
      ...connectionTo(this.#url),
      application_name: `outlay server ${process.pid} ${hostname()}`,
      keepAlive: true,
      query_timeout: answerMs,
    }
    const client = new pg.Client(settings)
    client.on('error', () => undefined)
    client.on('notification', ({ payload }) => this.#listen(payload))
    await client.connect()
    try {
      await client.query(keepAlive)
      const lock = sharesFiles ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
      const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock}(${serverLock}) AS taken`)
      this.#isReplaced = rows[0]?.taken !== true
      if (this.#isReplaced)
        throw new DatabaseError(
          'served',
          'Another Outlay is already serving this database. Several can where all keep their files in the same bucket.',
        )
      await client.query(`LISTEN ${channel}`)
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    if (this.#isOver) return client.end()
    client.on('end', () => this.#lose(client))
    this.#client = client
  }
  #lose(client: pg.Client): void {
    if (client !== this.#client) return
    this.#client = undefined
    this.#work.clear()
    this.#connectAgain()
  }
  #connectAgain(): void {
    if (this.#isOver) return
    clearTimeout(this.#again)
    this.#again = setTimeout(() => {
      this.#connect().then(
        () => {
          this.#heard?.onCommit()
          this.#heard?.onSignal({ topic: 'all' })
        },
        () => this.#connectAgain(),
      )
    }, againMs).unref()
  }
}

/** Parses another server's notification. One from a command is empty; one that cannot be parsed counts as a commit, too. */
function readTold(payload = ''): z.output<typeof told> {
  try {
    return told.parse(JSON.parse(payload))
  } catch {
    return { from: '', signals: [] }
  }
}
