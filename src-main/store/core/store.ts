import type { Clock } from '#main/clock'
import { toInstant } from '#shared/domain/dates'
import type { Actor } from './actor'
import type { Engine, EngineFigures, FileDatabase, Peers } from './engine'
import type { Reader } from './reader'
import { type Signals, createSignals } from './signals'
import { type SqliteOptions, openSqlite } from './sqlite-engine'
import { Tx, type TxParts } from './tx'
import { type Hook, WriteQueue, runHooks } from './write-queue'

export type { Actor, Identity, MintedTable } from './actor'
export { type Asked, Reader } from './reader'
export { type Derive, type Minter, Tx } from './tx'

/** How a store is opened. The owner is the one process that serves the folder; commands open it at the same time. */
export interface StoreOptions extends SqliteOptions {
  readonly clock: Clock
  /** The address of a PostgreSQL database, if the data are not in the folder. */
  readonly database_url?: string | undefined
  /** Whether the files are in a place that other servers on the same database reach. */
  readonly sharesFiles?: boolean
}

/** An instance's data. The interface is asynchronous, so that another database can implement it. */
export class Store {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  /** Changes that open pages need to know in addition to the change log. */
  readonly signals: Signals
  readonly #writes: WriteQueue
  #commits = 0
  /** The address of the database, if the data are not in a folder; other threads open it too. */
  readonly database_url: string | undefined
  /** Runs reads of one moment, however long they take. Meanwhile the database keeps replaced rows. */
  readonly snapshot: Engine['snapshot']
  /** Runs the work of one request, whose reads may then query the database less often. */
  readonly asRequest: Engine['asRequest']

  private constructor(engine: Engine, { clock, database_url }: StoreOptions) {
    this.#engine = engine
    this.database_url = database_url
    this.snapshot = (read) => engine.snapshot(read)
    this.asRequest = (work) => engine.asRequest(work)
    this.#clock = clock
    const { peers } = engine
    this.signals = createSignals(peers && ((signal) => peers.tell(signal)))
    peers?.hear({ onCommit: () => runHooks([...this.#listeners]), onSignal: (signal) => this.signals.take(signal) })
    this.#writes = new WriteQueue({ ...engine.turns, committed: (hooks) => this.#noteCommit(hooks), now: () => clock.monotonicMs() })
  }

  /** Opens the data of a folder. Throws {@link DatabaseError}. */
  static async open(dataFolder: string, options: StoreOptions): Promise<Store> {
    const { database_url } = options
    if (database_url === undefined) return new Store(await openSqlite(dataFolder, options), options)
    // Loaded here, so that a start on a folder does not wait for it.
    const { openPostgres } = await import('../postgres/engine')
    return new Store(await openPostgres(database_url, options), options)
  }

  /** Whether the database is a file of this machine: it can be a replica and has snapshots. */
  get isFile(): boolean {
    return this.#engine.file !== undefined
  }
  get reader(): Reader {
    return this.#engine.reader
  }
  /** Whether the disk has space for the first write. Without it reads work, and writes fail. */
  hasRoom(): boolean {
    return this.#engine.file?.hasRoom() ?? true
  }

  /** A number that changes after every commit, by this process or another on the same folder. */
  revision(): number {
    return this.#engine.revision()
  }
  /** The servers on the same database; undefined if there can be only one. */
  get peers(): Peers | undefined {
    return this.#engine.peers
  }
  /** Metrics of a database behind a network; undefined if it is a file. */
  figures(): EngineFigures | undefined {
    return this.#engine.figures?.()
  }

  /** The number of transactions this process has committed. */
  get commits(): number {
    return this.#commits
  }

  /** Calls `listener` after every durable commit of this process, and soon after commits of other servers, until the returned function is called. */
  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Runs `work` in a transaction, after all work requested before; a failure leaves no trace. Work that waits at the same time shares a commit
   * ({@link WriteQueue}), so `work` must not change anything that outlasts a savepoint, such as a pragma.
   */
  transact<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const perform = async (hooks: Hook[]) => {
        const result = await this.#transact(actor, { work, hooks })
        return () => resolve(result)
      }
      this.#writes.add({ perform, reject })
    })
  }

  async #transact<T>(actor: Actor, { work, hooks }: { work: (tx: Tx) => Promise<T>; hooks: Hook[] }): Promise<T> {
    const { writer, file: replica } = this.#engine
    this.#engine.begun()
    const derived: TxParts['derived'] = new Map()
    const now = toInstant(this.#clock.now())
    const parts: TxParts = { clock: this.#clock, now, hooks, signals: this.signals, derived, replica, lastChange: 0 }
    const tx = new Tx(writer, parts, { actor })
    try {
      const result = await work(tx)
      for (const [derive, ids] of derived) await derive(tx, [...ids])
      tx.assertOpen()
      return result
    } finally {
      // The connection's transaction may continue with other work.
      parts.ended ??= new Error('The transaction has ended.')
    }
  }

  #noteCommit(hooks: readonly Hook[]): void {
    this.#commits += 1
    this.#engine.committed()
    runHooks([...hooks, ...this.#listeners])
  }

  /** Lets a connection of another thread write. Transactions requested meanwhile wait until `work` has ended. */
  lend<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const ended = () => this.#noteCommit([])
      this.#writes.add({ lend: () => work().finally(ended).then(resolve, reject) })
    })
  }

  get #file(): FileDatabase {
    if (!this.#engine.file) throw new Error('The database is not a file of this machine.')
    return this.#engine.file
  }

  /** What SQLite reports about the whole file; empty if it is sound. The table `readByKey` is not compared with its indexes. */
  problems(options?: { readonly readByKey?: string }): string[] {
    return this.#engine.file?.problems(options) ?? []
  }

  /** Copies the database as of one moment into a new file, while others keep writing. */
  copyTo(path: string): Promise<void> {
    return this.#file.copyTo(path)
  }

  /** The plan SQLite would follow for a query, for tests that prove that an index serves it. */
  explain(text: string, parameters: readonly unknown[]): string[] {
    return this.#file.explain(text, parameters)
  }

  /** Waits for running transactions and closes the database. */
  async close(): Promise<void> {
    await this.#writes.idle()
    await this.#engine.close()
  }
}
