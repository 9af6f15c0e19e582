import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../clock'
import { ArchiveRefused, extractArchive } from '../files/archive'
import { createBlobStore } from '../files/blob-store'
import { makeFolder, syncFolder } from '../files/durable'
import { lockDataFolder } from '../store/database'
import { beginAsCopy } from '../store/restored-copy'
import { listAllBlobs } from '../store/instance-reader'
import { type DataOption, WorkFailed, cliActor, dataCommand, dataFolderOf, print, tell, withStoreOf } from './command-context'

/** `outlay restore FILE`: the data folder as a backup holds it. What the folder held is put aside, not deleted. */
export function restoreCommand(): Command {
  return dataCommand('restore', 'Make the data folder what a backup holds').argument('<file>', 'the backup').action(restore)
}

async function restore(file: string, options: DataOption): Promise<void> {
  const folder = dataFolderOf(options)
  const unlock = lockDataFolder(folder)
  const scratch = join(folder, `restoring-${systemClock.uid()}`)
  try {
    const names = await extract(file, scratch)
    const damaged = await examine(file, scratch)
    await putAside(folder)
    // The database last: from then on the folder holds data again.
    const wanted = names.filter((name) => !damaged.includes(basename(name)) && name !== 'outlay.db')
    // What replicas have seen since the backup is another history.
    await withStoreOf(scratch, (store) => store.transact(cliActor(0), beginAsCopy))
    for (const name of [...wanted, 'outlay.db']) await putInPlace(join(scratch, name), join(folder, name))
    print({ ok: damaged.length === 0, problems: damaged.map((sha256) => `The file ${sha256} is damaged.`) })
    if (damaged.length > 0) throw new WorkFailed('Everything else was restored.')
  } finally {
    await rm(scratch, { recursive: true, force: true })
    unlock()
  }
}

async function extract(file: string, scratch: string): Promise<string[]> {
  try {
    const names = await extractArchive(file, scratch)
    if (!names.includes('outlay.db')) throw new ArchiveRefused('it is no backup')
    return names
  } catch (error) {
    if (error instanceof ArchiveRefused)
      throw new WorkFailed(`${file} cannot be restored, and nothing was changed: ${error.message}.`)
    throw error
  }
}

/** Reads everything once before it takes the place of anything; answers the hashes of damaged files. */
function examine(file: string, scratch: string): Promise<string[]> {
  const blobs = createBlobStore(scratch, { randomId: () => systemClock.uid() })
  return withStoreOf(scratch, async (store) => {
    const problems = store.problems()
    if (problems.length > 0) throw new WorkFailed(`${file} cannot be restored, and nothing was changed: ${problems.join(' ')}`)
    const damaged: string[] = []
    for (const { sha256 } of await listAllBlobs(store.reader))
      if ((await blobs.verify(sha256)).kind === 'damaged') damaged.push(sha256)
    return damaged
  })
}

async function putInPlace(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await rename(from, to)
  await syncFolder(dirname(to))
}

async function putAside(folder: string): Promise<void> {
  const present = ['outlay.db', 'outlay.db-wal', 'outlay.db-shm', 'settings.json'].filter((name) =>
    existsSync(join(folder, name)),
  )
  if (present.length === 0) return
  const aside = join(folder, `replaced-${systemClock.now().toISOString().replaceAll(/\W/g, '')}`)
  await mkdir(aside, { mode: 0o700 })
  for (const name of present) await rename(join(folder, name), join(aside, name))
  tell(`What was there before is in ${aside}.`)
}
