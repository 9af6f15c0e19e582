import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#main/clock'
import {
  type BlobCheck,
  BlobMissing,
  type BlobStore,
  type ListedBlob,
  type ReceivedFile,
  blobName,
  createSpool,
  isHash,
} from '../blob-store'
import { longestSidePx } from '../inspection'
import { type MadePicture, type PictureStore, toPicture } from '../pictures'
import type { ByteSpan, Shelf } from '../shelf'
import { type Claims, createClaims } from './claims'
import { type BucketClient, type BucketContent, type BucketPlace, createBucketClient } from './client'
import { createLocalCopies } from './local-copies'
import { createOwnerMark } from './owner-mark'
import { type ReadSpan, readObject } from './read-object'

const prefix = 'shelf/'

/** The shelf of a bucket: objects next to the blobs, by name. */
function createBucketShelf(client: BucketClient): Shelf {
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

/** The most bytes of recently shown pictures in memory. */
const memoryBytes = 32 * 1024 * 1024

/** Pictures of a bucket's blobs, stored next to them. */
function createBucketPictures(client: BucketClient): PictureStore {
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

/** A file that was kept within this time is not kept again: old files are removed only much later. */
const freshMs = 30 * 60_000
/** The time limit of a probe. */
const probeMs = 2_000

/**
 * The blobs of a bucket, by hash. Uploads are received in `root` and written whole with a signed hash, so that the bucket rejects other bytes. Only
 * assumes that an object can be read after it was written.
 */
export function createBucketBlobs(
  place: BucketPlace,
  { root, clock }: { root: string; clock: Pick<Clock, 'now' | 'monotonicMs' | 'uid'> },
): BlobStore {
  const client = createBucketClient(place, { clock })
  const probe = createBucketClient({ ...place, timeout_ms: Math.min(probeMs, place.timeout_ms) }, { clock, tries: 1 })
  const claims = createClaims(client, clock)
  const mark = createOwnerMark(probe)
  const pictures = createBucketPictures(client)
  const spool = createSpool(root, { randomId: () => clock.uid() })

  const find = async (sha256: string) => {
    const entry = isHash(sha256) ? await client.head(blobName(sha256)) : undefined
    return entry && { sha256, bytes: entry.bytes }
  }
  // A part of a blob has another hash.
  const read = (sha256: string, span?: ByteSpan) => readObject(client, blobName(sha256), isWhole(span) ? { sha256 } : span)
  const copies = createLocalCopies({ spool, read })
  const remove = async (sha256: string) => {
    await client.remove(blobName(sha256))
    await pictures.remove(sha256)
  }

  return {
    root,
    pictures,
    place,
    ...spool,
    find,
    remove,
    shelf: createBucketShelf(client),
    keep: async (received) => {
      await keepObject(received, client, claims)
      await received.discard()
    },
    withFile: (sha256, work) => copies.withFile(sha256, work),
    createReadStream: (sha256, span) => Readable.from(read(sha256, span), { objectMode: false }),
    has: async (sha256) => (await find(sha256)) !== undefined,
    removeOld: async (sha256, keptBefore) => {
      const isOld = async () => ((await client.head(blobName(sha256)))?.modified ?? keptBefore) < keptBefore
      if (!(await isOld())) return
      await claims.tryHold(sha256, async (assertHeld) => {
        if (!(await isOld())) return
        await assertHeld()
        await remove(sha256)
      })
    },
    verify: (sha256) => verifyBlob(client, sha256),
    list: () => listBlobs(client),
    check: () => mark.check(),
    own: (instance_uid) => mark.own(instance_uid),
    close: () => {
      client.close()
      probe.close()
    },
  }
}

const isWhole = ({ start = 0, end }: ByteSpan = {}) => start === 0 && end === undefined

async function keepObject({ sha256, bytes, path }: ReceivedFile, client: BucketClient, claims: Claims): Promise<void> {
  const name = blobName(sha256)
  const content: BucketContent = { bytes, sha256, open: () => createReadStream(path) }
  if (await client.put(name, content, { isNew: true })) return
  const known = await client.head(name)
  // A blob of another size is damaged, and this repairs it.
  if (known?.bytes !== bytes || known.age_ms > freshMs) await claims.hold(sha256, () => client.put(name, content))
}

async function verifyBlob(client: BucketClient, sha256: string): Promise<BlobCheck> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of readObject(client, blobName(sha256))) hash.update(chunk)
  } catch (error) {
    if (error instanceof BlobMissing) return { kind: 'missing' }
    throw error
  }
  const found = hash.digest('hex')
  return found === sha256 ? { kind: 'intact' } : { kind: 'damaged', sha256: found }
}

async function* listBlobs(client: BucketClient): AsyncGenerator<ListedBlob> {
  for await (const { key, bytes, modified } of client.list('blobs/')) {
    const sha256 = key.slice(key.lastIndexOf('/') + 1)
    if (isHash(sha256) && blobName(sha256) === key) yield { sha256, bytes, kept_at: modified }
  }
}
