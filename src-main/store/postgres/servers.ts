import { hostname } from 'node:os'
import pg from 'pg'
import { z } from 'zod'
import { DatabaseError } from '../core/database-error'
import type { Heard } from '../core/engine'
import { type Signal, signalSchema } from '../core/signals'
import { connectionTo, keepAlive } from './session'

/** A number of our own for the lock that servers hold: those that share their files together, any other alone. */
const serverLock = 4870_0002
/** A class of our own for the locks of background work. */
const workLocks = 4870
const channel = 'outlay_commits'

const againMs = 1_000
/** How often at most this server notifies the others: a NOTIFY waits for those of all other sessions. */
const tellMs = 20
/** How often it is looked whether others have committed: a connection may be dead, or a pooler pass no notification on. */
const lookMs = 2_000
const answerMs = 10_000
/** How often work that another server does is asked for. */
const askWorkMs = 1_000
/** A message has room for 8,000 bytes. */
const mostSignals = 50

/** Says to the servers, after a commit, that a command has committed. */
export const tellServers = `NOTIFY ${channel}`

const told = z.object({ from: z.string(), signals: z.array(z.unknown()) })

interface Joining {
  /** What names this server among the others. */
  readonly token: string
  /** Whether its files are where other servers reach them: only then may there be others. */
  readonly sharesFiles: boolean
  readonly nowMs: () => number
}

/**
 * A server among the others on its database: it notifies them of its commits and signals, hears theirs, and takes background work, all on
 * a separate connection. One that breaks is made again; what was not heard meanwhile counts as a commit and as every signal. Work is
 * an advisory lock, which PostgreSQL releases when the server or its machine ends.
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
  /** Another server has taken the database alone. */
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

  /** Joins the servers on a database. Throws {@link DatabaseError} `in_use` where another one serves it alone, or this one has to. */
  static async join(url: string, joining: Joining): Promise<Servers> {
    const servers = new Servers(url, joining)
    await servers.#connect()
    servers.#looking = setInterval(() => void servers.#look(), lookMs).unref()
    return servers
  }

  /** Whether this server may write. */
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
  /** Tells the others soon that this server has committed. */
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
  /** Leaves, after a last notification; another server takes the work. */
  async leave(): Promise<void> {
    clearInterval(this.#looking)
    clearTimeout(this.#again)
    clearTimeout(this.#telling)
    if (this.#telling) await this.#tell()
    this.#isOver = true
    this.#work.clear()
    await this.#client?.end().catch(() => undefined)
  }

  /** The rows of a query, when the connection has run those before it; undefined where it fails, or there is none. */
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
    // A connection that broke meanwhile holds nothing.
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
      // What others do not hear is found when they look.
      await this.#query(this.#client, { text: 'SELECT pg_notify($1, $2)', values: [channel, JSON.stringify({ from, signals: part })] })
  }
  #listen(payload: string | undefined): void {
    const { from, signals } = readTold(payload)
    if (from === this.#joining.token) return
    this.#heard?.onCommit()
    for (const one of signals) {
      const signal = signalSchema.safeParse(one)
      // A newer server may say what this one does not know.
      if (signal.success) this.#heard?.onSignal(signal.data)
    }
  }
  /** Looks whether anything was committed that nobody told: the snapshot differs after every transaction that wrote. */
  async #look(): Promise<void> {
    const client = this.#client
    const rows = await this.#query<{ seen: string }>(client, { text: 'SELECT pg_current_snapshot()::text AS seen' })
    // One that does not answer in time is of no use.
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

/** What another server said; a command says nothing, and what cannot be read counts as a commit, too. */
function readTold(payload = ''): z.output<typeof told> {
  try {
    return told.parse(JSON.parse(payload))
  } catch {
    return { from: '', signals: [] }
  }
}
