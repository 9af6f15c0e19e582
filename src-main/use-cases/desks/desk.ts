import type { ReceivedFile } from '#main/files/blob-store'
import type { HeldJob } from '#main/store/queues/jobs'
import type { Signal } from '#main/store/core/signals'
import type { Actor, Reader, Tx } from '#main/store/core/store'

/** How far a job is; `total`: not known yet. */
export interface DeskProgress {
  readonly done: number
  readonly total: number | null
}

/** A job as it is known now. */
export interface DeskJob<R> {
  readonly record: R
  /** Of one that waits or runs. */
  readonly progress: (DeskProgress & { readonly isRunning: boolean }) | undefined
  /** Whether it failed and even that could not be written down. */
  readonly isLost: boolean
}

/** What a job is done with. */
export interface DeskWork {
  /** Where its files are, and where what it writes goes. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: DeskProgress) => void
  /** What transactions of the job have to ask before they write. */
  readonly held: HeldJob
}

/** What became of a job. */
export interface DeskOutcome<R> {
  readonly record: R
  /** The names of the files that are to be kept. */
  readonly written: readonly string[]
  /** The names of those that are no longer needed. */
  readonly unneeded?: readonly string[]
  /** What else is stored with it, in the same transaction. */
  readonly effect?: { readonly actor: Actor; readonly store: (tx: Tx) => Promise<void> }
}

/** What one kind of jobs is. */
export interface DeskKind<R> {
  readonly name: 'exports' | 'imports'
  /** The file that a job begins with. */
  readonly given: string | undefined
  /** How long a job that nobody touches is kept. */
  readonly keptMs: number
  /** Reads a record as it was stored. */
  readonly parse: (value: unknown) => R
  readonly signalOf: (record: R) => Signal
  /** How a record continues that the process of before left, where one process does all: to be done again, to be stored so, or not at all. */
  readonly resume: (record: R) => 'start' | R | undefined
  /** The name of the file in which an earlier version kept the record, in the folder of the job. */
  readonly earlier: string
  readonly work: (record: R, work: DeskWork) => Promise<DeskOutcome<R>>
  readonly fail: (record: R, error: unknown) => R
}

/** What can be done to jobs in one act. */
export interface DeskActs<R> {
  readonly reader: Reader
  list(): Promise<Array<DeskJob<R>>>
  find(id: string): Promise<DeskJob<R> | undefined>
  /** Stores a record, and has the job done, from its beginning: from then on nothing is stored of what was done before. */
  start(record: R): Promise<void>
  /** Removes a job and its files: from then on nothing is stored of it. */
  remove(record: R): Promise<void>
}

/** A job that comes, and the file that it begins with; `check` refuses it. */
export interface NewJob<R> {
  readonly check: (acts: DeskActs<R>) => Promise<void>
  readonly file?: { readonly name: string; readonly received: ReceivedFile }
}
