import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { makeFolder, writeDurably } from './durable'
import type { Thumbnail, ThumbnailStyle } from './inspection'

/** A stored picture of a blob. */
export interface Picture {
  readonly content_type: Thumbnail['content_type']
  readonly bytes: number
  /** From `start` to `end`, inclusive. */
  read(span?: { start?: number; end?: number }): Readable
}

/** A picture to store. */
export type MadePicture = Pick<Thumbnail, 'bytes' | 'content_type'>

/** Pictures of blobs. They may be removed at any time and are then made again. */
export interface PictureStore {
  find(sha256: string, style: ThumbnailStyle): Promise<Picture | undefined>
  keep(sha256: string, style: ThumbnailStyle, made: MadePicture): Promise<Picture>
  remove(sha256: string): Promise<void>
}

const extensions = [
  ['.jpg', 'image/jpeg'],
  ['.png', 'image/png'],
] as const satisfies ReadonlyArray<readonly [string, Picture['content_type']]>

/** Stores pictures in `root/renditions`. */
export function createPictureFolder(root: string): PictureStore {
  const folderOf = (sha256: string) => join(root, 'renditions', sha256.slice(0, 2))
  const stemOf = (sha256: string, style: ThumbnailStyle) => join(folderOf(sha256), `${sha256}-${style}`)
  return {
    find: async (sha256, style) => {
      for (const [extension, content_type] of extensions) {
        const path = stemOf(sha256, style) + extension
        const found = await stat(path).catch(() => undefined)
        if (found) return { content_type, bytes: found.size, read: (span) => createReadStream(path, span) }
      }
      return undefined
    },
    keep: async (sha256, style, { bytes, content_type }) => {
      // One job at a time makes a picture, so the temporary name can be fixed; a killed job's file is overwritten.
      const path = stemOf(sha256, style) + (content_type === 'image/png' ? '.png' : '.jpg')
      await makeFolder(dirname(path))
      await writeDurably(path, bytes)
      return { content_type, bytes: bytes.length, read: (span) => createReadStream(path, span) }
    },
    remove: async (sha256) => {
      const folder = folderOf(sha256)
      const names = await readdir(folder).catch(() => [])
      for (const name of names) if (name.startsWith(sha256)) await rm(join(folder, name), { force: true })
    },
  }
}

/** A picture in memory. */
export function toPicture({ bytes, content_type }: MadePicture): Picture {
  return {
    content_type,
    bytes: bytes.length,
    read: ({ start = 0, end = bytes.length - 1 } = {}) => Readable.from([bytes.subarray(start, end + 1)]),
  }
}
