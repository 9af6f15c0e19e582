import type { ReceivedFile } from '#main/files/blob-store'
import type { ReadableFile } from '#main/files/shelf'
import type { HeldJob } from '#main/store/queues/server-jobs'
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
  /** What transactions of the job have to ask before they write; undefined where one process does all. */
  readonly held: HeldJob | undefined
}

/** What became of a job. */
export interface DeskOutcome<R> {
  readonly record: R
  /** The names of the files that are to be kept. */
  readonly written: readonly string[]
  /** The names of those that are no longer needed. */
  readonly unneeded?: readonly string[]
  /** What else is stored with it, in the same transaction where the job is in the database. */
  readonly effect?: { readonly actor: Actor; readonly store: (tx: Tx) => Promise<void> }
}

/** What one kind of jobs is. */
export interface DeskKind<R> {
  readonly name: 'exports' | 'imports'
  /** The files that a job begins with. */
  readonly given: readonly string[]
  /** How long a job that nobody touches is kept. */
  readonly keptMs: number
  /** Reads a record as it was stored. */
  readonly parse: (value: unknown) => R
  readonly signalOf: (record: R) => Signal
  /** How a record continues that a process of before left: to be done again, to be stored so, or not at all. */
  readonly resume: (record: R) => 'start' | R | undefined
  readonly work: (record: R, work: DeskWork) => Promise<DeskOutcome<R>>
  readonly fail: (record: R, error: unknown) => R
}

/** What can be done to jobs in one act. */
export interface DeskActs<R> {
  readonly reader: Reader
  list(): Promise<Array<DeskJob<R>>>
  find(id: string): Promise<DeskJob<R> | undefined>
  /** Resolves when nothing works on the job any more, or can store anything. */
  stop(id: string): Promise<void>
  /** Stores a record, and has the job done. */
  start(record: R): Promise<void>
  /** Removes a stopped job and its files. */
  remove(record: R): Promise<void>
}

/** Jobs that people wait for, with files: done one after another in the background, by this process or by any server on the same database. */
export interface Desk<R> {
  /** Begins to work, also on what was left. */
  begin(): Promise<void>
  /** Every job, newest first. */
  list(): Promise<Array<DeskJob<R>>>
  find(id: string): Promise<DeskJob<R> | undefined>
  /** Takes a job, with the file that it begins with, unless it is here already; `check` refuses it. */
  add(
    record: R,
    job: {
      readonly check: (acts: DeskActs<R>) => Promise<void>
      readonly file?: { readonly name: string; readonly received: ReceivedFile }
    },
  ): Promise<void>
  /** One act at a time: each decides by what the one before left. */
  act<T>(work: (acts: DeskActs<R>) => Promise<T>): Promise<T>
  /** A file that a job has written; undefined where there is none. */
  findFile(id: string, name: string): Promise<ReadableFile | undefined>
  /** Stops what runs; another server does it, or the next start. */
  close(): Promise<void>
}
