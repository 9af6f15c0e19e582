import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Clock } from '#main/clock'
import { toInstant } from '#shared/domain/dates'
import { isDiskFull } from '#shared/domain/out-of-room'
import type { Actor, Identity, MintedTable } from './actor'
import type { Connection } from './connection'
import { type Connections, type OpenOptions, closeDatabase, openDatabase } from './database'
import { integrityProblems } from './integrity'
import { type ReadProcess, createReadProcess } from './read-process'
import { CommittedReader, Reader, toRevision } from './reader'
import { type Signal, type Signals, createSignals } from './signals'
import type { Statement } from './statement'
import { type Hook, WriteQueue, runHooks } from './write-queue'

const writeWaitMs = 15_000

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
  /** The number of the newest change in the log that this transaction wrote. */
  lastChange: number
  /** Why nothing more may be written: the work is done, or SQLite ended the transaction before its time, as when the disk is full. */
  ended?: Error
}

/** One write transaction: reads that see its own writes, and the means to write. It exists inside {@link Store.transact} only. */
export class Tx extends Reader {
  readonly #connection: Connection
  readonly #parts: TxParts
  readonly #minter: Minter | undefined
  readonly clock: Clock
  readonly actor: Actor
  /** The moment of this transaction, the same for all it writes. */
  readonly now: string
  constructor(connection: Connection, parts: TxParts, { actor, minter }: { actor: Actor; minter?: Minter | undefined }) {
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
  /** From now on, what is written is also noted so that it can be undone, as part of this operation; null: no more. */
  capture(operation: number | null): void {
    this.#connection.capture(operation)
  }

  /** Runs a write; returns how many rows it changed. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<number> {
    return Promise.resolve(this.#connection.run(statement, parameters))
  }
  /** The row that SQL text made of column names returns, where it returns one; for the record writer only. */
  write(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const prepared = this.#connection.prepare(text)
    return Promise.resolve(prepared.reader ? prepared.get(...parameters) : prepared.run(...parameters))
  }
  /** The rows of an SQL text, for what is written row by row as a replica's remote has it. */
  writeAll(text: string, parameters: readonly unknown[]): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
    return Promise.resolve(this.#connection.prepare(text).all(...parameters) as ReadonlyArray<Readonly<Record<string, unknown>>>)
  }
  /** Runs SQL texts that are written once and run once. */
  exec(texts: readonly string[]): Promise<void> {
    this.#connection.raw.exec(texts.join(';\n'))
    return Promise.resolve()
  }
  /** The same transaction on behalf of someone else's request: operations of a batch each have their own precondition. */
  as(actor: Actor, minter = this.#minter): Tx {
    return new Tx(this.#connection, this.#parts, { actor, minter })
  }
  /** Runs `work` so that its failure undoes only what it did. */
  async savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // Outside a transaction a savepoint would be a separate one, and durable.
    this.assertOpen()
    this.#connection.prepare('SAVEPOINT step').run()
    const { hooks, lastChange } = this.#parts
    const { length } = hooks
    try {
      const result = await work(this)
      this.#connection.prepare('RELEASE step').run()
      return result
    } catch (error) {
      hooks.length = length
      this.#parts.lastChange = lastChange
      if (this.#connection.raw.inTransaction) {
        this.#connection.prepare('ROLLBACK TO step').run()
        this.#connection.prepare('RELEASE step').run()
      } else if (error instanceof Error) this.#parts.ended ??= error
      throw error
    }
  }
  /** SQLite ends a transaction when the disk is full; throws what ended this one. */
  assertOpen(): void {
    if (this.#parts.ended || !this.#connection.raw.inTransaction)
      throw this.#parts.ended ?? new Error('The transaction has ended.')
  }
  /** The number, in the change log, of the newest change that this transaction made; 0: it has made none. */
  get lastChange(): number {
    return this.#parts.lastChange
  }
  noteChange(seq: number): void {
    this.#parts.lastChange = seq
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
export interface StoreOptions extends OpenOptions {
  readonly clock: Clock
  /** Whether separate processes run large reads, for a store whose reader must keep responding. */
  readonly readsApart?: boolean
}

/** An instance's data: asynchronous by its interface, so that another database can stand behind it. */
export class Store {
  readonly #connections: Connections
  readonly #isOwner: boolean
  readonly #clock: Clock
  readonly #reader: Reader
  readonly #process: ReadProcess | undefined
  readonly #listeners = new Set<() => void>()
  /** What open pages hear of in addition to the change log. */
  readonly signals = createSignals()
  readonly #writes: WriteQueue
  #commits = 0

  private constructor(connections: Connections, { clock, isOwner, readsApart = false }: StoreOptions) {
    this.#isOwner = isOwner
    this.#connections = connections
    this.#clock = clock
    this.#process = readsApart ? createReadProcess(connections.reader.raw.name) : undefined
    this.#reader = new CommittedReader(connections.reader, { commits: () => this.#commits, process: this.#process })
    const { writer, reader } = connections
    this.#writes = new WriteQueue({
      begin: () => this.#begin(writer),
      isOpen: () => writer.raw.inTransaction,
      run: (text) => {
        // While a reader uses the log, SQLite cannot restart it, and every commit copies all of it.
        if (text === 'COMMIT') reader.release()
        writer.prepare(text).run()
      },
      committed: (hooks) => this.#noteCommit(hooks),
      now: () => clock.monotonicMs(),
    })
  }

  /** Opens the data of a folder. Throws {@link DatabaseError}. */
  static async open(dataFolder: string, options: StoreOptions): Promise<Store> {
    return new Store(await openDatabase(dataFolder, options), options)
  }

  /** Reads of committed data. */
  get reader(): Reader {
    return this.#reader
  }

  /** Whether the disk has room for the first write. Where it has none, all can be read, and writes fail until there is some. */
  hasRoom(): boolean {
    try {
      this.#connections.prove()
      return true
    } catch (error) {
      if (isDiskFull(error)) return false
      throw error
    }
  }

  /** A number that differs after every committed change, made by this process or by another on the same folder. */
  revision(): number {
    return toRevision({ commits: this.#commits, version: this.#connections.reader.dataVersion() })
  }

  /** Calls `listener` after every durable commit of this process, until the returned function is called. */
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
    const { writer } = this.#connections
    writer.capture(null)
    const derived: TxParts['derived'] = new Map()
    const now = toInstant(this.#clock.now())
    const parts: TxParts = { clock: this.#clock, now, hooks, signals: this.signals, derived, lastChange: 0 }
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
    this.#connections.reader.release()
    runHooks([...hooks, ...this.#listeners])
  }

  /** Lets a connection of another thread write: transactions asked for meanwhile wait their turn until `work` has ended. */
  lend<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const ended = () => this.#noteCommit([])
      this.#writes.add({ lend: () => work().finally(ended).then(resolve, reject) })
    })
  }

  /** Another process may be writing: wait for it without holding up the thread. */
  async #begin(connection: Connection): Promise<void> {
    const start = this.#clock.monotonicMs()
    for (;;) {
      try {
        this.#connections.prove()
        connection.prepare('BEGIN IMMEDIATE').run()
        return
      } catch (error) {
        const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
        if (!busy || this.#clock.monotonicMs() - start > writeWaitMs) throw error
        await sleep(5)
      }
    }
  }

  /** What SQLite says of the whole file: empty when all is well. */
  problems(): string[] {
    return integrityProblems(this.#connections.reader.raw)
  }

  /** Copies the database at one moment into a new file, while others keep writing. */
  async copyTo(path: string): Promise<void> {
    // All pages in one step: between steps another process could write, which would restart the copy.
    await this.#connections.reader.raw.backup(path, { progress: ({ totalPages }) => totalPages + 1_000 })
  }

  /** The plan SQLite would follow for a query, for tests that prove that an index serves it. */
  explain(text: string, parameters: readonly unknown[]): string[] {
    const plan = this.#connections.reader.raw.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
    return plan.all(...parameters).map((step) => step.detail)
  }

  /** Waits for running transactions and closes the database. */
  async close(): Promise<void> {
    await this.#writes.idle()
    await this.#process?.end()
    await closeDatabase(this.#connections, { isOwner: this.#isOwner })
  }
}
