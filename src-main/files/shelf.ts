import type { Readable } from 'node:stream'

/** The bytes from `start` to `end`, inclusive, as in an HTTP range. */
export interface ByteSpan {
  readonly start?: number
  readonly end?: number
}

/** A file of any storage: its size, and how to read it. */
export interface ReadableFile {
  readonly bytes: number
  readonly read: (span?: ByteSpan) => Readable
}

/** Files of jobs, by names of their choice: in the data folder, or where all servers on a database reach them. That one throws BucketUnreachable. */
export interface Shelf {
  /** Puts a local file there, whole or not at all; it may be gone from where it was. */
  put(name: string, path: string): Promise<void>
  /** Undefined if it does not exist. */
  find(name: string): Promise<ReadableFile | undefined>
  /** Has a file at a local path, for reading; none where it is not there. */
  fetch(name: string, path: string): Promise<void>
  /** Removes a file, or a folder with all that is in it; one that is not there is no fault. */
  remove(name: string): Promise<void>
  list(folder: string): AsyncIterable<{ readonly name: string; readonly modified: Date }>
}
