import { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { longestSidePx } from '../inspection'
import { type MadePicture, type PictureStore, toPicture } from '../pictures'
import type { BucketClient } from './client'

/** The most bytes of recently shown pictures in memory. */
const memoryBytes = 32 * 1024 * 1024

/** Pictures of a bucket's blobs, stored next to them. */
export function createBucketPictures(client: BucketClient): PictureStore {
  const shown = new LRUCache<string, MadePicture>({ maxSize: memoryBytes, sizeCalculation: ({ bytes }) => bytes.length + 1 })
  const keyOf = (sha256: string, style: string) => `renditions/${sha256.slice(0, 2)}/${sha256}-${style}`
  return {
    find: async (sha256, style) => {
      const key = keyOf(sha256, style)
      const known = shown.get(key)
      if (known) return toPicture(known)
      const found = await client.read(key)
      if (!found) return undefined
      const made = { bytes: found.bytes, content_type: found.content_type === 'image/png' ? 'image/png' : 'image/jpeg' } as const
      shown.set(key, made)
      return toPicture(made)
    },
    keep: async (sha256, style, made) => {
      const { bytes, content_type } = made
      const hash = createHash('sha256').update(bytes).digest('hex')
      const key = keyOf(sha256, style)
      await client.put(key, { bytes: bytes.length, sha256: hash, content_type, open: () => Readable.from([Buffer.from(bytes)]) })
      shown.set(key, made)
      return toPicture(made)
    },
    remove: async (sha256) => {
      for (const style of Object.keys(longestSidePx)) {
        shown.delete(keyOf(sha256, style))
        await client.remove(keyOf(sha256, style))
      }
    },
  }
}
