import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { ContentType } from '#shared/domain/content-types'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import type { BlobStore } from './blob-store'
import { makeFolder, writeDurably } from './durable'
import type { Inspector } from './inspect'
import type { Thumbnail, ThumbnailStyle } from './inspection'

/** A thumbnail on disk. */
export interface ThumbnailFile {
  readonly path: string
  readonly content_type: Thumbnail['content_type']
}

/** Thumbnails and previews of stored blobs, each made once and kept with them. */
export interface Thumbnails {
  /** The picture of a blob in a style, or undefined when it has none or it cannot be made. @throws BlobMissing */
  get(sha256: string, content_type: ContentType, style: ThumbnailStyle): Promise<ThumbnailFile | undefined>
  /** The picture of a blob, whether or not the blob itself is here, if it was made or kept before. */
  find(sha256: string, style: ThumbnailStyle): Promise<ThumbnailFile | undefined>
  /** Stores a picture made elsewhere of a blob that is not here. */
  keep(sha256: string, style: ThumbnailStyle, thumbnail: Pick<Thumbnail, 'bytes' | 'content_type'>): Promise<void>
}

const extensions = [
  ['.jpg', 'image/jpeg'],
  ['.png', 'image/png'],
] as const satisfies ReadonlyArray<readonly [string, Thumbnail['content_type']]>

/** Blobs that gave no picture are not tried again while the program runs. */
const rememberedFailures = 1000

/** Thumbnails in `<root of the blob store>/renditions`, a folder that may be deleted at any time: it is made again. */
export function createThumbnails(blobStore: BlobStore, inspector: Inspector): Thumbnails {
  const running = new Map<string, Promise<ThumbnailFile | undefined>>()
  const failed = new LRUCache<string, true>({ max: rememberedFailures })

  const make = async (
    stem: string,
    content_type: ContentType,
    request: { sha256: string; style: ThumbnailStyle },
  ): Promise<ThumbnailFile | undefined> => {
    const { path } = await blobStore.open(request.sha256)
    const kept = await findKept(stem)
    if (kept !== undefined) return kept
    const made = await inspector.thumbnail({ path, content_type, style: request.style })
    if (made !== undefined) return writeIfRoom(stem, made)
    failed.set(stem, true)
    return undefined
  }

  const stemOf = (sha256: string, style: ThumbnailStyle) =>
    join(blobStore.root, 'renditions', sha256.slice(0, 2), `${sha256}-${style}`)
  return {
    find: (sha256, style) => findKept(stemOf(sha256, style)),
    keep: async (sha256, style, thumbnail) => void (await write(stemOf(sha256, style), thumbnail)),
    get: async (sha256, content_type, style) => {
      const stem = stemOf(sha256, style)
      if (failed.has(stem)) return undefined
      const job = running.get(stem) ?? make(stem, content_type, { sha256, style }).finally(() => running.delete(stem))
      running.set(stem, job)
      return job
    },
  }
}

async function findKept(stem: string): Promise<ThumbnailFile | undefined> {
  for (const [extension, content_type] of extensions) {
    const path = stem + extension
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined) return { path, content_type }
  }
  return undefined
}

/** On a full disk there is no picture for now; what it is of can be opened all the same. */
async function writeIfRoom(stem: string, made: Thumbnail): Promise<ThumbnailFile | undefined> {
  try {
    return await write(stem, made)
  } catch (error) {
    if (isOutOfRoom(error)) return undefined
    throw error
  }
}

/** One job at a time makes a stem, so the temporary name can be fixed; a rest of a killed one is written over. */
async function write(stem: string, { bytes, content_type }: Pick<Thumbnail, 'bytes' | 'content_type'>): Promise<ThumbnailFile> {
  const path = stem + (content_type === 'image/png' ? '.png' : '.jpg')
  await makeFolder(dirname(path))
  await writeDurably(path, bytes)
  return { path, content_type }
}
