import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseFiles } from './database-files'

/** How the folders are called that what was damaged is moved into. */
export const damagedPrefix = 'damaged-'

/** The folders of a data folder that hold what was damaged, the oldest first. */
export async function listDamagedFolders(dataFolder: string): Promise<string[]> {
  const names = await readdir(dataFolder).catch(() => [])
  return names
    .filter((name) => name.startsWith(damagedPrefix))
    .sort()
    .map((name) => join(dataFolder, name))
}

/** Whether a damaged database is in a data folder: it may name files that nothing else names, and they are kept. */
export async function keepsUnnamedFiles(dataFolder: string): Promise<boolean> {
  return (await listDamagedFolders(dataFolder)).some((folder) => existsSync(databaseFiles(folder)[0]))
}
