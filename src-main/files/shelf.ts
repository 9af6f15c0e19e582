import { createReadStream } from 'node:fs'
import { copyFile, link, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder, syncFolder } from './durable'

/** The bytes from `start` to `end`, inclusive, as in an HTTP range. */
export interface ByteSpan {
  readonly start?: number
  readonly end?: number
}

/** A file of any storage: its size, and how to read it. */
export interface ReadableFile {
  readonly bytes: number
  readonly read: (span?: ByteSpan) => Readable
}

/** Files of jobs, by names of their choice: in the data folder, or where all servers on a database reach them. That one throws BucketUnreachable. */
export interface Shelf {
  /** Puts a local file there, whole or not at all; it may be gone from where it was. */
  put(name: string, path: string): Promise<void>
  /** Undefined if it does not exist. */
  find(name: string): Promise<ReadableFile | undefined>
  /** Has a file at a local path, for reading; none where it is not there. */
  fetch(name: string, path: string): Promise<void>
  /** Removes a file, or a folder with all that is in it; one that is not there is no fault. */
  remove(name: string): Promise<void>
  list(folder: string): AsyncIterable<{ readonly name: string; readonly modified: Date }>
}

/** The shelf of the one server of a data folder: files below it, each under the name that it was given. */
export function createFolderShelf(root: string): Shelf {
  const at = (name: string) => join(root, name)
  return {
    put: async (name, path) => {
      const folder = dirname(at(name))
      await makeFolder(folder)
      await rename(path, at(name))
      await syncFolder(folder)
    },
    find: async (name) => {
      const found = await stat(at(name)).catch(() => undefined)
      return found?.isFile() ? { bytes: found.size, read: (span = {}) => createReadStream(at(name), span) } : undefined
    },
    // The same file under another name, where the disk can do that.
    fetch: (name, path) => link(at(name), path).catch(() => copyFile(at(name), path).catch(ignoreMissing)),
    remove: async (name) => {
      await rm(at(name), { recursive: true, force: true })
      // The folder of a job goes with what was last in it.
      if (name.split('/').length > 2) await rmdir(dirname(at(name))).catch(() => undefined)
    },
    list: async function* (folder) {
      for (const entry of await readdir(at(folder), { recursive: true, withFileTypes: true }).catch(() => [])) {
        const path = join(entry.parentPath, entry.name)
        const found = entry.isFile() ? await stat(path).catch(() => undefined) : undefined
        if (found) yield { name: relative(root, path).replaceAll('\\', '/'), modified: found.mtime }
      }
    },
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
