import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { withFolderAlone } from './folder-locks'

const fileName = z.string().regex(/^[\w-][\w.-]*$/)
const swap = z.object({
  /** The subfolder with the new files, complete and flushed. */
  from: fileName,
  /** The subfolder into which the old files are moved. */
  aside: fileName,
  /** The files that are replaced, the database last. */
  placed: z.array(fileName),
  /** The files that are removed without a replacement. */
  removed: z.array(fileName),
})
/** How a restore replaces the files of a data folder. */
export type Swap = z.infer<typeof swap>

const marker = (dataFolder: string): string => join(dataFolder, 'restore.json')

/** Whether a restore was interrupted after it was decided. */
export function isRestoring(dataFolder: string): boolean {
  return existsSync(marker(dataFolder))
}

/** Commits to a restore: from now on this process, or the next one to open the folder, completes it. The caller must have the folder alone. */
export function swapFiles(dataFolder: string, decided: Swap): void {
  syncFolder(join(dataFolder, decided.from))
  const part = `${marker(dataFolder)}.part`
  writeFileSync(part, JSON.stringify(decided), { mode: 0o600, flush: true })
  renameSync(part, marker(dataFolder))
  syncFolder(dataFolder)
  completeSwap(dataFolder)
}

/**
 * Completes a restore, however often it was interrupted. A file that is still in `from` has not been moved yet, so the existing file is the old one.
 * The caller must have the folder alone.
 */
export function completeSwap(dataFolder: string): void {
  if (!isRestoring(dataFolder)) return
  const { from, aside, placed, removed } = swap.parse(JSON.parse(readFileSync(marker(dataFolder), 'utf8')))
  const at = (...names: string[]) => join(dataFolder, ...names)
  const last = placed.at(-1) ?? ''
  const isWaiting = (name: string) => existsSync(at(from, placed.includes(name) ? name : last))
  const giving = [...removed, ...placed].filter((name) => isWaiting(name) && existsSync(at(name)) && !existsSync(at(aside, name)))
  if (giving.length > 0) mkdirSync(at(aside), { recursive: true, mode: 0o700 })
  for (const name of giving) renameSync(at(name), at(aside, name))
  if (existsSync(at(aside))) syncFolder(at(aside))
  syncFolder(dataFolder)
  for (const name of placed) if (existsSync(at(from, name))) renameSync(at(from, name), at(name))
  syncFolder(dataFolder)
  rmSync(marker(dataFolder))
  syncFolder(dataFolder)
  rmSync(at(from), { recursive: true, force: true })
}

/** Completes an interrupted restore before anything else reads the data folder. Throws {@link DatabaseError} `in_use`. */
export async function settleRestore(dataFolder: string): Promise<void> {
  if (isRestoring(dataFolder)) await withFolderAlone(dataFolder, () => Promise.resolve(completeSwap(dataFolder)))
}

function syncFolder(path: string): void {
  // Windows cannot open a folder to flush it; NTFS journals names.
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
