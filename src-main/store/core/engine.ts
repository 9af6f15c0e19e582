import type { ReplicaWrites, Writable } from './queryable'
import type { Reader } from './reader'
import type { QueueWriter } from './write-queue'

/** What only a database in one file of this machine can do. */
export interface FileDatabase extends ReplicaWrites {
  /** Whether the disk has room for the first write. */
  hasRoom(): boolean
  /** What SQLite says of the whole file: empty when all is well. */
  problems(): string[]
  /** Copies the database at one moment into a new file, while others keep writing. */
  copyTo(path: string): Promise<void>
  /** The plan SQLite would follow for a query. */
  explain(text: string, parameters: readonly unknown[]): string[]
}

/** The database behind a store. */
export interface Engine {
  readonly reader: Reader
  readonly writer: Writable
  readonly turns: QueueWriter
  /** Present where the database is a file: what a replica needs, and snapshots. */
  readonly file: FileDatabase | undefined
  /** Called before each transaction's work, which may share a database transaction with others. */
  begun(): void
  /** Called after each durable commit, of this process or on loan. */
  committed(): void
  /** A number that differs after every committed change, made by this process or by another. */
  revision(): number
  close(): Promise<void>
}
