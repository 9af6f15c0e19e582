import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ZipFile } from 'yazl'

/** What goes into an archive, and how. */
export interface ZipEntry {
  readonly chunks: () => AsyncIterable<Uint8Array>
  readonly mtime: Date
  readonly compress: boolean
}

/** Adds a file and waits until it is in: one is read at a time. Resolves to its hash and length as written. */
export function addEntry(zip: ZipFile, name: string, { chunks, mtime, compress }: ZipEntry): Promise<{ sha256: string; bytes: number }> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256')
    let bytes = 0
    const counted = async function* () {
      for await (const chunk of chunks()) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
      resolve({ sha256: hash.digest('hex'), bytes })
    }
    zip.addReadStreamLazy(name, { compress, mtime }, (done) => {
      const stream = Readable.from(counted(), { objectMode: false })
      stream.on('error', reject)
      done(null, stream)
    })
  })
}

/** The bytes of an archive, while `fill` adds its files and ends it. */
export async function* zipped(zip: ZipFile, fill: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const out = Readable.from(zip.outputStream)
  const filling = fill().catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))))
  for await (const chunk of out) yield chunk
  await filling
}
