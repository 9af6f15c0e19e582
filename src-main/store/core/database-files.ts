import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { isRestoring } from './restore-swap'

/** The path of a data folder's database. */
export function databasePath(dataFolder: string): string {
  return join(dataFolder, 'outlay.db')
}

/** The files of the database in a data folder: the database, its write-ahead log, and the log's index. */
export function databaseFiles(dataFolder: string): [database: string, log: string, index: string] {
  const path = databasePath(dataFolder)
  return [path, `${path}-wal`, `${path}-shm`]
}

/** Whether the database of a data folder has users. True if it cannot be read, as it may have some. */
export function holdsUsers(dataFolder: string): boolean {
  if (!existsSync(databasePath(dataFolder))) return false
  try {
    const raw = new Database(databasePath(dataFolder), { readonly: true })
    try {
      return raw.prepare('SELECT 1 FROM users LIMIT 1').get() !== undefined
    } finally {
      raw.close()
    }
  } catch {
    return true
  }
}

/** Whether a data folder holds a database, or will hold one after an interrupted restore completes. */
export function hasDatabase(dataFolder: string): boolean {
  return existsSync(databasePath(dataFolder)) || isRestoring(dataFolder)
}

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
