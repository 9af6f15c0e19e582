import type { Readable } from 'node:stream'

/** The bytes from `start` to `end`, both included, as in an HTTP range. */
export interface ByteSpan {
  readonly start?: number
  readonly end?: number
}

/** A file that is somewhere: how large it is, and how it is read. */
export interface ReadableFile {
  readonly bytes: number
  readonly read: (span?: ByteSpan) => Readable
}

/** Files that servers on one database give each other for a while, by names of their choice. Everything throws BucketUnreachable. */
export interface Shelf {
  /** Puts a copy of a local file there, whole or not at all. */
  put(name: string, path: string): Promise<void>
  /** Undefined where it is not there. */
  find(name: string): Promise<ReadableFile | undefined>
  /** One that is not there is no fault. */
  remove(name: string): Promise<void>
  list(folder: string): AsyncIterable<{ readonly name: string; readonly modified: Date }>
}
