import type { ReplicaWrites, Writable } from './queryable'
import type { Reader } from './reader'
import type { Signal } from './signals'
import type { QueueWriter } from './write-queue'

/** What only a database in a file of this machine supports. */
export interface FileDatabase extends ReplicaWrites {
  /** Whether the disk has space for the first write. */
  hasRoom(): boolean
  /** What SQLite reports about the whole file; empty if the file is sound. See `integrityProblems`. */
  problems(options?: { readonly readByKey?: string }): string[]
  /** Copies the database as of one moment into a new file, while others keep writing. */
  copyTo(path: string): Promise<void>
  /** The plan SQLite would follow for a query. */
  explain(text: string, parameters: readonly unknown[]): string[]
}

/** Called when another server on the same database has committed or sent a signal. */
export interface Heard {
  readonly onCommit: () => void
  readonly onSignal: (signal: Signal) => void
}

/** Short-lived counters that the servers on a database share. */
export interface SharedNotes {
  /** Adds one to a key's counter. Returns the count in the key's window, and how long the window still lasts. The first count starts the window. */
  count(key: string, windowMs: number): Promise<{ readonly count: number; readonly leftMs: number }>
  /** The count of a key. */
  find(key: string): Promise<number>
  /** Removes a key; returns whether it was still valid. Of several simultaneous calls, one succeeds. */
  take(key: string): Promise<boolean>
  sweep(): Promise<void>
}

/** The servers on the same database, including this one. */
export interface Peers {
  readonly notes: SharedNotes
  hear(heard: Heard): void
  /** Sends a signal to the other servers. */
  tell(signal: Signal): void
  /** Takes a kind of background work, which one server at a time does, if no other server has it. Returns whether this server has it now. */
  takeWork(name: string): Promise<boolean>
  /** Whether this server still has this work. */
  hasWork(name: string): boolean
}

/** Metrics of a database behind a network. */
export interface EngineFigures {
  /** How often something was retried because the database was away or transactions conflicted. */
  readonly retries: number
  /** The connections that read: their number, how many are idle, and how many reads wait for one. */
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
  /** Present if the database is a file: what replicas and snapshots need. */
  readonly file: FileDatabase | undefined
  /** Present if there may be other servers. */
  readonly peers: Peers | undefined
  /** Called before the work of each transaction, which may share a database transaction with others. */
  begun(): void
  /** Runs the work of one request. Its reads may use kept results, which are never older than the start of the request. */
  asRequest<T>(work: () => T): T
  /** Called after each durable commit, of this process or of a lent connection. */
  committed(): void
  /** Runs reads that must see the same moment on a separate connection, however long they take. */
  snapshot<T>(read: (reader: Reader) => Promise<T>): Promise<T>
  /** A number that changes after every commit, by this process or another. */
  revision(): number
  /** Absent if the database is a file. */
  readonly figures?: () => EngineFigures
  close(): Promise<void>
}
