import { createReadStream } from 'node:fs'
import { copyFile, link, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { makeFolder, syncFolder } from './durable'
import type { Shelf } from './shelf'

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
