import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Shelf } from '../shelf'
import type { BucketClient } from './client'
import { type ReadSpan, readObject } from './read-object'

const prefix = 'shelf/'

/** The shelf of a bucket: objects next to the blobs, by name. */
export function createBucketShelf(client: BucketClient): Shelf {
  const keyOf = (name: string) => `${prefix}${name}`
  const read = (name: string, span?: ReadSpan) => readObject(client, keyOf(name), span)
  return {
    put: async (name, path) => {
      const { size: bytes } = await stat(path)
      await client.put(keyOf(name), { bytes, sha256: await hashOf(path), open: () => createReadStream(path) })
    },
    find: async (name) => {
      const entry = await client.head(keyOf(name))
      return entry && { bytes: entry.bytes, read: (span) => Readable.from(read(name, span), { objectMode: false }) }
    },
    fetch: async (name, path) => {
      if (await client.head(keyOf(name))) await pipeline(read(name), createWriteStream(path))
    },
    remove: async (name) => {
      await client.remove(keyOf(name))
      for await (const { key } of client.list(keyOf(`${name}/`))) await client.remove(key)
    },
    list: async function* (folder) {
      for await (const { key, modified } of client.list(keyOf(folder))) yield { name: key.slice(prefix.length), modified }
    },
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
