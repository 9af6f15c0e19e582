import { closeSync, openSync, readSync } from 'node:fs'

/**
 * The bytes of a table, piece by piece, from the start each time they are asked for: a large file is never held whole. A piece is
 * to be read before the next one is asked for.
 */
export type TableSource = () => Iterable<Uint8Array>

/** So small that the text of a piece is short-lived memory: larger strings stay until the whole heap is looked through. */
const chunkBytes = 32 * 1024

/** The bytes of a file. Iterating throws what the system says where the file cannot be read. */
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

/** Bytes that are in memory already. */
export function bytesSource(bytes: Uint8Array): TableSource {
  return function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
}
