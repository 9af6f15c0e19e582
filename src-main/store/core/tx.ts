import type { Clock } from '#main/clock'
import type { Actor, Identity, MintedTable } from './actor'
import type { Awaitable, NewRows, PlainRow, ReplicaWrites, RowChange, Writable } from './queryable'
import { Reader } from './reader'
import type { Signal, Signals } from './signals'
import type { Statement } from './statement'
import type { Hook } from './write-queue'

/** Where new records get their identity from: a replica mints from what was leased to it, its remote takes what was minted. */
export interface Minter {
  mint(tx: Tx, table: MintedTable): Promise<Identity>
}

/** Derives values of some records again. */
export type Derive = (tx: Tx, ids: readonly number[]) => Promise<void>

/** What all parts of one transaction share. */
export interface TxParts {
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
    this.assertOpen()
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
    this.assertOpen()
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
    await this.#connection.savepoint('SAVEPOINT step')
    const { hooks, lastChange } = this.#parts
    const { length } = hooks
    try {
      const result = await work(this)
      await this.#connection.savepoint('RELEASE step')
      return result
    } catch (error) {
      hooks.length = length
      this.#parts.lastChange = lastChange
      if (this.#connection.isOpen) {
        await this.#connection.savepoint('ROLLBACK TO step')
        await this.#connection.savepoint('RELEASE step')
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
