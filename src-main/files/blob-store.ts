import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder, syncFolder } from './durable'
import type { BucketPlace } from './bucket-store/client'
import { type PictureStore, createPictureFolder } from './pictures'
import type { ByteSpan, Shelf } from './shelf'

/** More bytes came than may be stored; the received ones are deleted. */
export class FileTooLarge extends Error {
  constructor(readonly maxBytes: number) {
    super(`The file is larger than ${String(maxBytes)} bytes`)
  }
}

/** No blob with this hash is stored. */
export class BlobMissing extends Error {
  constructor(readonly sha256: string) {
    super(`No blob ${sha256}`)
  }
}

/** A complete upload, flushed under a temporary name, to be kept or discarded. Hashes are lower-case hexadecimal. */
export interface ReceivedFile {
  readonly path: string
  readonly sha256: string
  readonly md5: string
  readonly bytes: number
  /** Removes the temporary file; does nothing after `keep` or `discard`. */
  discard(): Promise<void>
}

/** A stored blob. */
export interface StoredBlob {
  readonly sha256: string
  readonly bytes: number
}

/** A stored blob, and when its content was last kept. */
export interface ListedBlob extends StoredBlob {
  readonly kept_at: Date
}

/** A blob as a file on this disk. */
export interface LocalFile {
  readonly path: string
  readonly bytes: number
}

/** The result of hashing a blob again. */
export type BlobCheck = { kind: 'intact' } | { kind: 'damaged'; sha256: string } | { kind: 'missing' }

/**
 * Files by the SHA-256 of their content, in a folder or a bucket. Write a row that names a blob only after `keep` resolved. With a bucket, everything
 * except `receive` and `sweepIncoming` throws BucketUnreachable if it does not respond.
 */
export interface BlobStore {
  /** The local folder in which uploads are received. */
  readonly root: string
  /** The bucket with the blobs; undefined if they are in `root`. */
  readonly place: BucketPlace | undefined
  readonly pictures: PictureStore
  /** Present if other servers can reach the files. */
  readonly shelf: Shelf | undefined
  /** Writes the stream to a temporary file, hashed and flushed. @throws FileTooLarge; errors of the stream. Deletes the file then. */
  receive(stream: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<ReceivedFile>
  /** Stores a received file durably. The same content is stored once. */
  keep(received: ReceivedFile): Promise<void>
  /** The size of a blob; undefined if it does not exist or the name is not a hash. */
  find(sha256: string): Promise<StoredBlob | undefined>
  /** Makes a blob available as a file while `work` runs; the path may be invalid afterwards. @throws BlobMissing */
  withFile<T>(sha256: string, work: (file: LocalFile) => Promise<T>): Promise<T>
  /** @throws BlobMissing if the name is not a hash; if the blob does not exist, the stream fails. */
  createReadStream(sha256: string, span?: ByteSpan): Readable
  has(sha256: string): Promise<boolean>
  /** Removes a blob and its thumbnails; does nothing if it does not exist. */
  remove(sha256: string): Promise<void>
  /** Like `remove`, unless the same content was kept again since: a row that names it is about to be written. */
  removeOld(sha256: string, keptBefore: Date): Promise<void>
  /** Hashes the blob again and compares the hash with its name. */
  verify(sha256: string): Promise<BlobCheck>
  /** Every stored blob, by hash. */
  list(): AsyncIterable<ListedBlob>
  /** Removes temporary files of unfinished uploads that were last written longer ago than this. Returns how many. */
  sweepIncoming(olderThanMs: number, now: Date): Promise<number>
  /** Resolves if files can be read and stored. */
  check(): Promise<void>
  /** Stores which instance a bucket belongs to, once. @throws BucketOfAnother if it belongs to another one */
  own(instance_uid: string): Promise<void>
  close(): void
}

/** The part of a blob store that is local even with a bucket: received files that are not kept yet. */
export type Spool = Pick<BlobStore, 'receive' | 'sweepIncoming'>

/** Receives uploads in `root/incoming`. `randomId` names temporary files: it must be unguessable and a valid file name. */
export function createSpool(root: string, { randomId }: { randomId: () => string }): Spool {
  const incoming = join(root, 'incoming')
  return {
    receive: async (stream, limits) => {
      await makeFolder(incoming)
      return receiveInto(join(incoming, randomId()), stream, limits)
    },
    sweepIncoming: async (olderThanMs, now) => sweep(incoming, now.getTime() - olderThanMs),
  }
}

/** A blob store in a local folder. */
export interface FolderBlobStore extends BlobStore {
  /** @throws BlobMissing */
  open(sha256: string): Promise<LocalFile>
}

/** Opens the blob store in `root`, which need not exist yet. */
export function createBlobStore(root: string, { randomId }: { randomId: () => string }): FolderBlobStore {
  const incoming = join(root, 'incoming')
  const pathOf = (sha256: string) => join(root, blobName(sha256))
  const pictures = createPictureFolder(root)
  const openBlob = async (sha256: string): Promise<LocalFile> => {
    const path = pathOf(sha256)
    const bytes = await sizeOf(path)
    if (bytes === undefined) throw new BlobMissing(sha256)
    return { path, bytes }
  }
  const find = async (sha256: string) => {
    const bytes = isHash(sha256) ? await sizeOf(pathOf(sha256)) : undefined
    return bytes === undefined ? undefined : { sha256, bytes }
  }

  return {
    root,
    pictures,
    place: undefined,
    shelf: undefined,
    ...createSpool(root, { randomId }),
    find,
    open: openBlob,
    keep: async (received) => keepAs(pathOf(received.sha256), received),
    withFile: async (sha256, work) => work(await openBlob(sha256)),
    createReadStream: (sha256, span = {}) => createReadStream(pathOf(sha256), span),
    has: async (sha256) => (await find(sha256)) !== undefined,
    remove: async (sha256) => {
      await rm(pathOf(sha256), { force: true })
      await pictures.remove(sha256)
    },
    removeOld: async (sha256, keptBefore) => {
      const path = pathOf(sha256)
      const aside = join(incoming, randomId())
      if (((await statOf(path))?.mtime ?? keptBefore) >= keptBefore) return
      await makeFolder(incoming)
      await rename(path, aside)
      // Checked again when nobody can keep it any more.
      if ((await stat(aside)).mtime >= keptBefore) return rename(aside, path)
      await rm(aside)
      await pictures.remove(sha256)
    },
    verify: async (sha256) => verifyBlob(pathOf(sha256), sha256),
    list: () => listBlobs(root),
    check: () => Promise.resolve(),
    own: () => Promise.resolve(),
    close: () => undefined,
  }
}

/** Whether a text is a valid name of a blob. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** The name of a blob in a folder, bucket or backup. @throws BlobMissing if `sha256` is not a hash */
export function blobName(sha256: string): string {
  if (!isHash(sha256)) throw new BlobMissing(sha256)
  return `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}

async function receiveInto(path: string, stream: AsyncIterable<Uint8Array>, { maxBytes }: { maxBytes: number }): Promise<ReceivedFile> {
  const discard = async (): Promise<void> => rm(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    const written = await writeHashed(file, stream, maxBytes)
    await file.sync()
    await file.close()
    return { path, ...written, discard }
  } catch (error) {
    await file.close()
    await discard()
    throw error
  }
}

async function writeHashed(
  file: FileHandle,
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ sha256: string; md5: string; bytes: number }> {
  const sha256 = createHash('sha256')
  const md5 = createHash('md5')
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new FileTooLarge(maxBytes)
    sha256.update(chunk)
    md5.update(chunk)
    // Unlike write, writeFile on a handle continues at its position until the whole chunk is written.
    await file.writeFile(chunk)
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex'), bytes }
}

async function keepAs(path: string, received: ReceivedFile): Promise<void> {
  if ((await sizeOf(path)) === received.bytes && (await renew(path, received))) return received.discard()
  // Also if a blob of another size exists: that one is damaged, and this repairs it.
  await makeFolder(dirname(path))
  await rename(received.path, path)
  await syncFolder(dirname(path))
}

/** Dates a blob as kept now; returns whether it still exists. */
async function renew(path: string, received: ReceivedFile): Promise<boolean> {
  const { atime, mtime } = await stat(received.path)
  return utimes(path, atime, mtime).then(
    () => true,
    (error: unknown) => {
      if (isAbsence(error)) return false
      throw error
    },
  )
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await statOf(path))?.size
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function verifyBlob(path: string, sha256: string): Promise<BlobCheck> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (error) {
    if (isAbsence(error)) return { kind: 'missing' }
    throw error
  }
  const found = hash.digest('hex')
  return found === sha256 ? { kind: 'intact' } : { kind: 'damaged', sha256: found }
}

async function* listBlobs(root: string): AsyncGenerator<ListedBlob> {
  const blobs = join(root, 'blobs')
  for (const first of await namesIn(blobs)) {
    for (const second of await namesIn(join(blobs, first))) {
      for (const sha256 of (await namesIn(join(blobs, first, second))).filter(isHash)) {
        const found = await statOf(join(root, blobName(sha256)))
        if (found) yield { sha256, bytes: found.size, kept_at: found.mtime }
      }
    }
  }
}

/** The sorted names in a folder; empty if there is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}

async function sweep(incoming: string, beforeMs: number): Promise<number> {
  let removed = 0
  for (const name of await namesIn(incoming)) {
    const path = join(incoming, name)
    const found = await statOf(path)
    if (found === undefined || found.mtimeMs >= beforeMs) continue
    await rm(path, { recursive: true, force: true })
    removed += 1
  }
  return removed
}
