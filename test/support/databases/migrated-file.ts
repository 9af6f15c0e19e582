import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeDatabase, openDatabase } from '#main/store/core/database'
import { databasePath } from '#main/store/core/database-files'

let migrated: Promise<Buffer> | undefined

/**
 * Puts an empty database of today's schema into a new data folder, as the program makes and closes it. The migrations take most of the
 * time in which an instance starts, and run once in a process; what makes an instance that instance is made when it starts.
 */
export async function placeMigrated(folder: string): Promise<void> {
  migrated ??= makeMigrated()
  await writeFile(databasePath(folder), await migrated, { mode: 0o600, flag: 'wx' })
}

async function makeMigrated(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'outlay-migrated-'))
  try {
    await closeDatabase(await openDatabase(folder, { isOwner: true }), { isOwner: true })
    return await readFile(databasePath(folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
