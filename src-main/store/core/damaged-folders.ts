import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseFiles } from './database-files'

/** The prefix of the folders into which damaged files are moved. */
export const damagedPrefix = 'damaged-'

/** The folders of damaged files in a data folder, oldest first. */
export async function listDamagedFolders(dataFolder: string): Promise<string[]> {
  const names = await readdir(dataFolder).catch(() => [])
  return names
    .filter((name) => name.startsWith(damagedPrefix))
    .sort()
    .map((name) => join(dataFolder, name))
}

/** Whether a data folder keeps a damaged database. It may be the only one to name some files, so unnamed files are kept. */
export async function keepsUnnamedFiles(dataFolder: string): Promise<boolean> {
  return (await listDamagedFolders(dataFolder)).some((folder) => existsSync(databaseFiles(folder)[0]))
}
