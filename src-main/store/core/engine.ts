import type { ReplicaWrites, Writable } from './queryable'
import type { Reader } from './reader'
import type { Signal } from './signals'
import type { QueueWriter } from './write-queue'

/** What only a database in one file of this machine can do. */
export interface FileDatabase extends ReplicaWrites {
  /** Whether the disk has room for the first write. */
  hasRoom(): boolean
  /** What SQLite says of the whole file: empty when all is well; see `integrityProblems`. */
  problems(options?: { readonly readByKey?: string }): string[]
  /** Copies the database at one moment into a new file, while others keep writing. */
  copyTo(path: string): Promise<void>
  /** The plan SQLite would follow for a query. */
  explain(text: string, parameters: readonly unknown[]): string[]
}

/** What is called when another server on the same database has done something. */
export interface Heard {
  readonly onCommit: () => void
  readonly onSignal: (signal: Signal) => void
}

/** Short-lived counts that the servers on a database share. */
export interface SharedNotes {
  /** Counts one more under a key; returns how many there are in its time, and how long that still is. A key begins with the first. */
  count(key: string, windowMs: number): Promise<{ readonly count: number; readonly leftMs: number }>
  /** How many there are. */
  find(key: string): Promise<number>
  /** Removes a key; returns whether its time was not over. Of several at once one succeeds. */
  take(key: string): Promise<boolean>
  /** Removes those whose time is over. */
  sweep(): Promise<void>
}

/** The servers on the same database, of which this is one. */
export interface Peers {
  readonly notes: SharedNotes
  hear(heard: Heard): void
  /** Passes a signal on to the others. */
  tell(signal: Signal): void
  /** Takes a kind of background work, which one server at a time does, if no other has it; returns whether this one has. */
  takeWork(name: string): Promise<boolean>
  /** Whether this server still has it. */
  hasWork(name: string): boolean
}

/** What a monitoring system reads of a database that is behind a network. */
export interface EngineFigures {
  /** How often something was tried again because the database was away, or others in the way. */
  readonly retries: number
  /** Connections that read: how many, how many of them have nothing to do, and how many reads wait for one. */
  readonly connections: number
  readonly idle: number
  readonly waiting: number
  /** The kinds of background work that this server does. */
  readonly work: readonly string[]
}

/** The database behind a store. */
export interface Engine {
  readonly reader: Reader
  readonly writer: Writable
  readonly turns: QueueWriter
  /** Present where the database is a file: what a replica needs, and snapshots. */
  readonly file: FileDatabase | undefined
  /** Present where there may be other servers. */
  readonly peers: Peers | undefined
  /** Called before each transaction's work, which may share a database transaction with others. */
  begun(): void
  /** Runs what answers one request: what it reads may be kept from before, and is as it was when the request began or later. */
  asRequest<T>(work: () => T): T
  /** Called after each durable commit, of this process or on loan. */
  committed(): void
  /** Runs reads that have to see the same moment, however long they take, on a connection that nothing else uses. */
  snapshot<T>(read: (reader: Reader) => Promise<T>): Promise<T>
  /** A number that differs after every committed change, made by this process or by another. */
  revision(): number
  /** Absent where the database is a file. */
  readonly figures?: () => EngineFigures
  close(): Promise<void>
}
