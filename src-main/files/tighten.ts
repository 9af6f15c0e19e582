import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const ofOthers = 0o077
const sticky = 0o1000

/** How many files and folders other users could access: changed ones, and those that could not be changed. */
export interface Tightened {
  changed: number
  left: number
}

/**
 * Removes other users' access to folders and everything in them. Skips entries that belong to someone else, and shared folders. Windows has another
 * permission model.
 */
export async function tightenFolders(folders: readonly string[]): Promise<Tightened> {
  const tightened = { changed: 0, left: 0 }
  if (process.platform !== 'win32') for (const folder of new Set(folders)) await tighten(folder, tightened)
  return tightened
}

async function tighten(path: string, tightened: Tightened): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory() || (found.mode & sticky) !== 0) return
  // The folder first: from then on no other user can reach its content.
  await close(path, found.mode, tightened)
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) await tighten(inside, tightened)
    else if (entry.isFile()) await close(inside, (await stat(inside).catch(() => undefined))?.mode ?? 0, tightened)
  }
}

async function close(path: string, mode: number, tightened: Tightened): Promise<void> {
  if ((mode & ofOthers) === 0) return
  await chmod(path, mode & 0o700).then(
    () => (tightened.changed += 1),
    () => (tightened.left += 1),
  )
}
