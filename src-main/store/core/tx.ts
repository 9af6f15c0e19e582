import type { Clock } from '#main/clock'
import type { Actor, Identity, MintedTable } from './actor'
import type { Awaitable, NewRows, PlainRow, ReplicaWrites, RowChange, Writable } from './queryable'
import { Reader } from './reader'
import type { Signal, Signals } from './signals'
import type { Statement } from './statement'
import type { Hook } from './write-queue'

/** Assigns identities to new records: a replica uses its leased ids, its remote takes the replica's ids. */
export interface Minter {
  mint(tx: Tx, table: MintedTable): Promise<Identity>
}

/** Recomputes derived values of some records. */
export type Derive = (tx: Tx, ids: readonly number[]) => Promise<void>

/** What all parts of one transaction share. */
export interface TxParts {
  readonly clock: Clock
  readonly now: string
  readonly hooks: Hook[]
  readonly signals: Signals
  readonly derived: Map<Derive, Set<number>>
  readonly replica: ReplicaWrites | undefined
  /** The number of the newest change-log row of this transaction. */
  lastChange: Awaitable<number>
  /** Why nothing more may be written: the work has ended, or SQLite ended the transaction early, such as on a full disk. */
  ended?: Error
}

/** A write transaction: reads that see its own writes, and the means to write. It exists only inside {@link Store.transact}. */
export class Tx extends Reader {
  readonly #connection: Writable
  readonly #parts: TxParts
  readonly #minter: Minter | undefined
  readonly clock: Clock
  readonly actor: Actor
  /** The instant of this transaction, the same for all its writes. */
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

  async mint(table: MintedTable): Promise<Identity> {
    return (await this.#minter?.mint(this, table)) ?? { uid: this.clock.uid() }
  }
  /** What only replicas need. Throws if the instance cannot be a replica. */
  get replica(): ReplicaWrites {
    if (!this.#parts.replica) throw new Error('Only an instance on SQLite can be a replica.')
    return this.#parts.replica
  }

  /** Runs a write; returns the number of changed rows. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<number> {
    return Promise.resolve(this.#connection.run(statement, parameters))
  }
  /** Runs an SQL text built from column names. */
  async write(text: string, parameters: readonly unknown[]): Promise<void> {
    await this.#connection.write(text, parameters)
  }
  /** The rows of an SQL text; see {@link write}. */
  writeAll(text: string, parameters: readonly unknown[]): Promise<readonly PlainRow[]> {
    return Promise.resolve(this.#connection.write(text, parameters))
  }
  /** Like {@link write}, without waiting: the next call that waits throws the failure, at the latest the end of the savepoint or transaction. */
  post(text: string, parameters: readonly unknown[]): void {
    this.assertOpen()
    this.#connection.post(text, parameters)
  }
  /** Stores rows and returns them in their order. Only for the record writer. */
  insert(rows: NewRows): Promise<readonly PlainRow[]> {
    return Promise.resolve(this.#connection.insert(rows))
  }
  /** Changes a row, raises its version, and returns it. Only for the record writer. */
  update(change: RowChange): Promise<PlainRow> {
    return Promise.resolve(this.#connection.update(change))
  }
  /** Appends to the change log. Only for the record writer. */
  log(columns: readonly string[], rows: ReadonlyArray<readonly unknown[]>): void {
    this.assertOpen()
    this.#parts.lastChange = this.#connection.log(columns, rows)
  }
  /** Reserves a number of a table's ids for a device; returns the last one. */
  takeIds(table: string, count: number): Promise<number> {
    return Promise.resolve(this.#connection.takeIds(table, count))
  }
  /** The same transaction on behalf of another request: each operation of a batch has its own precondition. */
  as(actor: Actor, minter = this.#minter): Tx {
    return new Tx(this.#connection, this.#parts, { actor, minter })
  }
  /** Runs `work`; if it fails, only its own writes are rolled back. */
  async savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // Outside a transaction a savepoint would be a transaction itself, and durable.
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
  /** Throws the error that ended this transaction. SQLite ends a transaction when the disk is full. */
  assertOpen(): void {
    if (this.#parts.ended) throw this.#parts.ended
    this.#connection.assertOpen()
  }
  /** The change-log number of this transaction's newest change; 0 if there is none. */
  lastChange(): Promise<number> {
    return Promise.resolve(this.#parts.lastChange)
  }
  /**
   * Runs `derive` once before the commit, to recompute what depends on this record and others. A rolled-back step may leave ids of records that are
   * unchanged or do not exist.
   */
  deriveLater(derive: Derive, id: number): void {
    const { derived } = this.#parts
    derived.set(derive, (derived.get(derive) ?? new Set<number>()).add(id))
  }
  /** Runs `hook` once the transaction is durable, and not at all if it fails. */
  afterCommit(hook: Hook): void {
    this.#parts.hooks.push(hook)
  }
  /** Emits a signal once the transaction is durable, for state that is not in the change log. */
  signal(signal: Signal): void {
    this.afterCommit(() => this.#parts.signals.emit(signal))
  }
}
