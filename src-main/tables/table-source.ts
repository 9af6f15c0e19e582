import { closeSync, openSync, readSync } from 'node:fs'

/**
 * The bytes of a table in pieces, from the start at each call: a large file is never in memory completely. Read each piece before requesting the
 * next.
 */
export type TableSource = () => Iterable<Uint8Array>

/** Small, so that a piece's text is short-lived memory: larger strings stay until a full garbage collection. */
const chunkBytes = 32 * 1024

/** The bytes of a file. Iterating throws the system's error if it cannot be read. */
export function fileSource(path: string): TableSource {
  return function* () {
    const file = openSync(path, 'r')
    try {
      const chunk = new Uint8Array(chunkBytes)
      for (;;) {
        const read = readSync(file, chunk)
        if (read === 0) return
        yield chunk.subarray(0, read)
      }
    } finally {
      closeSync(file)
    }
  }
}

/** Bytes in memory. */
export function bytesSource(bytes: Uint8Array): TableSource {
  return function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
}
