import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const ofOthers = 0o077
const sticky = 0o1000

/**
 * Takes the rights of other users from folders and all that is in them. What is not ours to change, and a folder that everybody shares,
 * stays as it is. Windows keeps rights in another way.
 */
export async function tightenFolders(folders: readonly string[]): Promise<void> {
  if (process.platform === 'win32') return
  for (const folder of new Set(folders)) await tighten(folder)
}

async function tighten(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory() || (found.mode & sticky) !== 0) return
  // The folder first: from then on nobody else reaches what is in it.
  await close(path, found.mode)
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) await tighten(inside)
    else if (entry.isFile()) await close(inside, (await stat(inside).catch(() => undefined))?.mode ?? 0)
  }
}

async function close(path: string, mode: number): Promise<void> {
  if ((mode & ofOthers) !== 0) await chmod(path, mode & 0o700).catch(() => undefined)
}
