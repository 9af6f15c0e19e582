import type { Clock } from '#main/clock'
import { toInstant } from '#shared/domain/dates'
import type { Actor, Identity, MintedTable } from './actor'
import type { Engine, EngineFigures, FileDatabase, Peers } from './engine'
import type { Awaitable, NewRows, PlainRow, ReplicaWrites, RowChange, Writable } from './queryable'
import { Reader } from './reader'
import { type Signal, type Signals, createSignals } from './signals'
import { type SqliteOptions, openSqlite } from './sqlite-engine'
import type { Statement } from './statement'
import { type Hook, WriteQueue, runHooks } from './write-queue'

export type { Actor, Identity, MintedTable } from './actor'
export { type Asked, Reader } from './reader'

/** Where new records get their identity from: a replica mints from what was leased to it, its remote takes what was minted. */
export interface Minter {
  mint(tx: Tx, table: MintedTable): Promise<Identity>
}

/** Derives values of some records again. */
export type Derive = (tx: Tx, ids: readonly number[]) => Promise<void>

/** What all parts of one transaction share. */
interface TxParts {
  readonly clock: Clock
  readonly now: string
  readonly hooks: Hook[]
  readonly signals: Signals
  readonly derived: Map<Derive, Set<number>>
  readonly replica: ReplicaWrites | undefined
  /** The number of the newest change in the log that this transaction wrote. */
  lastChange: Awaitable<number>
  /** Why nothing more may be written: the work is done, or SQLite ended the transaction before its time, as when the disk is full. */
  ended?: Error
}

/** One write transaction: reads that see its own writes, and the means to write. It exists inside {@link Store.transact} only. */
export class Tx extends Reader {
  readonly #connection: Writable
  readonly #parts: TxParts
  readonly #minter: Minter | undefined
  readonly clock: Clock
  readonly actor: Actor
  /** The moment of this transaction, the same for all it writes. */
  readonly now: string
  constructor(connection: Writable, parts: TxParts, { actor, minter }: { actor: Actor; minter?: Minter | undefined }) {
    super(connection)
    this.#connection = connection
    this.#parts = parts
    this.#minter = minter
    this.clock = parts.clock
    this.actor = actor
    this.now = parts.now
  }

  /** The identity of a new record. */
  async mint(table: MintedTable): Promise<Identity> {
    return (await this.#minter?.mint(this, table)) ?? { uid: this.clock.uid() }
  }
  /** What only a replica needs of its database. Throws where the instance cannot be one. */
  get replica(): ReplicaWrites {
    if (!this.#parts.replica) throw new Error('Only an instance on SQLite can be a replica.')
    return this.#parts.replica
  }

  /** Runs a write; returns how many rows it changed. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<number> {
    return Promise.resolve(this.#connection.run(statement, parameters))
  }
  /** Runs an SQL text that is made of column names. */
  async write(text: string, parameters: readonly unknown[]): Promise<void> {
    await this.#connection.write(text, parameters)
  }
  /** The rows of an SQL text, as {@link write}. */
  writeAll(text: string, parameters: readonly unknown[]): Promise<readonly PlainRow[]> {
    return Promise.resolve(this.#connection.write(text, parameters))
  }
  /** Writes, as {@link write}, without waiting: a failure is thrown by what waits next, at the latest by the end of the savepoint or of the transaction. */
  post(text: string, parameters: readonly unknown[]): void {
    this.#connection.post(text, parameters)
  }
  /** Stores rows and returns them in their order; for the record writer only. */
  insert(rows: NewRows): Promise<readonly PlainRow[]> {
    return Promise.resolve(this.#connection.insert(rows))
  }
  /** Changes a row, raising its version, and returns it; for the record writer only. */
  update(change: RowChange): Promise<PlainRow> {
    return Promise.resolve(this.#connection.update(change))
  }
  /** Appends to the change log; for the record writer only. */
  log(columns: readonly string[], rows: ReadonlyArray<readonly unknown[]>): void {
    this.#parts.lastChange = this.#connection.log(columns, rows)
  }
  /** Takes so many ids of a table for a device, and returns the last. */
  takeIds(table: string, count: number): Promise<number> {
    return Promise.resolve(this.#connection.takeIds(table, count))
  }
  /** The same transaction on behalf of someone else's request: operations of a batch each have their own precondition. */
  as(actor: Actor, minter = this.#minter): Tx {
    return new Tx(this.#connection, this.#parts, { actor, minter })
  }
  /** Runs `work` so that its failure undoes only what it did. */
  async savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // Outside a transaction a savepoint would be a separate one, and durable.
    this.assertOpen()
    await this.#connection.mark('SAVEPOINT step')
    const { hooks, lastChange } = this.#parts
    const { length } = hooks
    try {
      const result = await work(this)
      await this.#connection.mark('RELEASE step')
      return result
    } catch (error) {
      hooks.length = length
      this.#parts.lastChange = lastChange
      if (this.#connection.isOpen) {
        await this.#connection.mark('ROLLBACK TO step')
        await this.#connection.mark('RELEASE step')
      } else if (error instanceof Error) this.#parts.ended ??= error
      throw error
    }
  }
  /** SQLite ends a transaction when the disk is full; throws what ended this one. */
  assertOpen(): void {
    if (this.#parts.ended) throw this.#parts.ended
    this.#connection.assertOpen()
  }
  /** The number, in the change log, of the newest change that this transaction made; 0: it has made none. */
  lastChange(): Promise<number> {
    return Promise.resolve(this.#parts.lastChange)
  }
  /**
   * Has `derive` work out, once before the commit, what is derived from this record and others. A step that was undone may have
   * noted records that are as they were, or are not there.
   */
  deriveLater(derive: Derive, id: number): void {
    const { derived } = this.#parts
    derived.set(derive, (derived.get(derive) ?? new Set<number>()).add(id))
  }
  /** Runs `hook` once the transaction is durable, and never if it is not. */
  afterCommit(hook: Hook): void {
    this.#parts.hooks.push(hook)
  }
  /** Notifies open pages, once the transaction is durable, of changed state that is in no change log. */
  signal(signal: Signal): void {
    this.afterCommit(() => this.#parts.signals.emit(signal))
  }
}

/** How a store is opened: its owner is the one process that serves the folder; commands open it at the same time. */
export interface StoreOptions extends SqliteOptions {
  readonly clock: Clock
  /** Where the data are, if not in the folder: the address of a PostgreSQL database. */
  readonly database_url?: string | undefined
  /** Whether the files are where other servers on the same database reach them. */
  readonly sharesFiles?: boolean
}

/** An instance's data: asynchronous by its interface, so that another database can stand behind it. */
export class Store {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  /** What open pages hear of in addition to the change log. */
  readonly signals: Signals
  readonly #writes: WriteQueue
  #commits = 0
  /** Where the data are, if not in a folder: other threads open the same. */
  readonly database_url: string | undefined
  /** Runs reads of one moment, however long they take: until they end, the database keeps what is replaced meanwhile. */
  readonly snapshot: Engine['snapshot']
  /** Runs what answers one request, whose reads may then ask the database less often. */
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
    // Loaded here, so that no start on a folder waits for it.
    const { openPostgres } = await import('../postgres/engine')
    return new Store(await openPostgres(database_url, options), options)
  }

  /** Whether the database is a file of this machine: one that can be a replica, and of which there are snapshots. */
  get isFile(): boolean {
    return this.#engine.file !== undefined
  }
  /** Reads of committed data. */
  get reader(): Reader {
    return this.#engine.reader
  }
  /** Whether the disk has room for the first write. Where it has none, all can be read, and writes fail until there is some. */
  hasRoom(): boolean {
    return this.#engine.file?.hasRoom() ?? true
  }

  /** A number that differs after every committed change, made by this process or by another on the same folder. */
  revision(): number {
    return this.#engine.revision()
  }
  /** The servers on the same database; undefined where there can be one only. */
  get peers(): Peers | undefined {
    return this.#engine.peers
  }
  /** Figures of a database behind a network; undefined where it is a file. */
  figures(): EngineFigures | undefined {
    return this.#engine.figures?.()
  }

  /** How many transactions this process has committed. */
  get commits(): number {
    return this.#commits
  }

  /** Calls `listener` after every durable commit of this process, and soon after those of other servers, until the returned function is called. */
  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Runs `work` after what was asked for before it; its failure leaves no trace. Work that waits at the same time shares a commit
   * ({@link WriteQueue}), so nothing that outlasts a savepoint, such as a pragma, may be changed in it.
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
      // The connection's transaction may continue with the work of others.
      parts.ended ??= new Error('The transaction has ended.')
    }
  }

  #noteCommit(hooks: readonly Hook[]): void {
    this.#commits += 1
    this.#engine.committed()
    runHooks([...hooks, ...this.#listeners])
  }

  /** Lets a connection of another thread write: transactions asked for meanwhile wait their turn until `work` has ended. */
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

  /** What SQLite says of the whole file: empty when all is well. The indexes of a table that was `readByKey` alone are not compared with it. */
  problems(options?: { readonly readByKey?: string }): string[] {
    return this.#engine.file?.problems(options) ?? []
  }

  /** Copies the database at one moment into a new file, while others keep writing. */
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
