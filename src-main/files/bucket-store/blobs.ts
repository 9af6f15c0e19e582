import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Clock } from '#main/clock'
import {
  type BlobCheck,
  BlobMissing,
  type BlobStore,
  type ByteSpan,
  type ListedBlob,
  type ReceivedFile,
  blobName,
  createSpool,
  isHash,
} from '../blob-store'
import { BucketUnreachable } from '../bucket'
import { type Claims, createClaims } from './claims'
import { type BucketClient, type BucketContent, type BucketPlace, createBucketClient } from './client'
import { createLocalCopies } from './local-copies'
import { createOwnerMark } from './owner-mark'
import { createBucketPictures } from './pictures'

/** A file that was kept more lately than this need not be kept again: what removes old files leaves it alone for longer. */
const freshMs = 30 * 60_000
/** A probe waits no longer than this. */
const probeMs = 2_000

/**
 * The blobs of a bucket, each under its hash. Uploads are received in `root` and written whole, with their hash in the signature, so a
 * bucket refuses other bytes. Assumes no more than that an object can be read once it was written.
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
  const read = (sha256: string, span?: ByteSpan) => readBlob(client, blobName(sha256), { sha256, ...span })
  const copies = createLocalCopies({ spool, read })
  const remove = async (sha256: string) => {
    await client.remove(blobName(sha256))
    await pictures.remove(sha256)
  }

  return {
    ...{ root, pictures, place, ...spool, find, remove },
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

async function keepObject({ sha256, bytes, path }: ReceivedFile, client: BucketClient, claims: Claims): Promise<void> {
  const name = blobName(sha256)
  const content: BucketContent = { bytes, sha256, open: () => createReadStream(path) }
  if (await client.put(name, content, { isNew: true })) return
  const known = await client.head(name)
  // One of another size is damaged, and this one repairs it.
  if (known?.bytes !== bytes || known.age_ms > freshMs) await claims.hold(sha256, () => client.put(name, content))
}

async function verifyBlob(client: BucketClient, sha256: string): Promise<BlobCheck> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of readBlob(client, blobName(sha256), { sha256, isChecked: false })) hash.update(chunk)
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

/** A read that breaks off continues where it was; one that brings nothing so often fails. */
const mostBreaks = 3

/**
 * The bytes of a blob. Of a whole one the last bytes leave only when all have the hash, so damaged content never arrives complete.
 * @throws BlobMissing; BucketUnreachable
 */
async function* readBlob(
  client: Pick<BucketClient, 'get'>,
  key: string,
  { sha256, start = 0, end, isChecked = start === 0 && end === undefined }: ByteSpan & { sha256: string; isChecked?: boolean },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  let left: number | undefined
  for (let at = start, breaks = 0; left !== 0; ) {
    const found = await client.get(key, { start: at, end })
    if (!found) throw new BlobMissing(sha256)
    left ??= found.bytes
    try {
      for await (const chunk of chunksOf(found.body)) {
        if (held) yield held
        held = chunk
        if (isChecked) hash.update(chunk)
        at += chunk.length
        left -= chunk.length
        breaks = 0
      }
      if (left > 0) throw new Error('The bucket sent less than it announced.')
    } catch (error) {
      breaks += 1
      if (breaks >= mostBreaks) throw new BucketUnreachable('The bucket breaks off while a file is read.', { cause: error })
    } finally {
      found.body.destroy()
    }
  }
  if (isChecked && hash.digest('hex') !== sha256) throw new BlobMissing(sha256)
  if (held) yield held
}

async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body) if (Buffer.isBuffer(chunk)) yield chunk
}
