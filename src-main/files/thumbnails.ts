import { LRUCache } from 'lru-cache'
import type { ContentType } from '#shared/domain/content-types'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import type { BlobStore } from './blob-store'
import { BucketUnreachable } from './bucket'
import type { Inspector } from './inspect'
import type { ThumbnailStyle } from './inspection'
import { type MadePicture, type Picture, toPicture } from './pictures'

/** Thumbnails and previews of stored blobs; each is made once and stored with the blob. */
export interface Thumbnails {
  /** The picture of a blob in a style; undefined if it has none or it cannot be made. @throws BlobMissing, BucketUnreachable */
  get(sha256: string, content_type: ContentType, style: ThumbnailStyle): Promise<Picture | undefined>
  /** The stored picture of a blob, even if the blob itself is not here. */
  find(sha256: string, style: ThumbnailStyle): Promise<Picture | undefined>
  /** Stores a picture, made elsewhere, of a blob that is not here. */
  keep(sha256: string, style: ThumbnailStyle, made: MadePicture): Promise<void>
}

/** Blobs without a picture are not tried again while the program runs. */
const rememberedFailures = 1000

/** Makes the thumbnails of a blob store, kept in its picture store. */
export function createThumbnails(blobs: BlobStore, inspector: Inspector): Thumbnails {
  const { pictures } = blobs
  const running = new Map<string, Promise<Picture | undefined>>()
  const failed = new LRUCache<string, true>({ max: rememberedFailures })

  const make = async (sha256: string, content_type: ContentType, style: ThumbnailStyle): Promise<Picture | undefined> => {
    const kept = await pictures.find(sha256, style)
    if (kept !== undefined) return kept
    return blobs.withFile(sha256, async ({ path }) => {
      const made = await inspector.thumbnail({ path, content_type, style })
      if (made !== undefined) return pictures.keep(sha256, style, made).catch((error: unknown) => unkept(made, error))
      failed.set(`${sha256}-${style}`, true)
      return undefined
    })
  }

  return {
    find: (sha256, style) => pictures.find(sha256, style),
    keep: async (sha256, style, made) => void (await pictures.keep(sha256, style, made)),
    get: async (sha256, content_type, style) => {
      const name = `${sha256}-${style}`
      if (failed.has(name)) return undefined
      const job = running.get(name) ?? make(sha256, content_type, style).finally(() => running.delete(name))
      running.set(name, job)
      return job
    },
  }
}

/** A picture that could not be stored: it is sent from memory, and made again next time. */
function unkept(made: MadePicture, error: unknown): Picture {
  if (!isOutOfRoom(error) && !(error instanceof BucketUnreachable)) throw error
  return toPicture(made)
}
