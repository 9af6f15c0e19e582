import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../clock'
import { ArchiveRefused, extractArchive } from '../files/archive'
import { createBlobStore } from '../files/blob-store'
import { makeFolder, syncFolder } from '../files/durable'
import { isDatabaseFile } from '../files/sniff'
import { copyDatabase, lockDataFolder } from '../store/database'
import { DatabaseRefused } from '../store/database-refused'
import { beginAsCopy } from '../store/restored-copy'
import { listAllBlobs } from '../store/instance-reader'
import type { Store } from '../store/store'
import { findBlobProblems } from './blob-problems'
import { type DataOption, WorkFailed, cliActor, dataCommand, dataFolderOf, print, tell, withStoreOf } from './command-context'

/** `outlay restore FILE`: the data folder as a backup or a snapshot holds it. What the folder held is put aside, not deleted. */
export function restoreCommand(): Command {
  return dataCommand('restore', 'Make the data folder what a backup or a snapshot holds')
    .argument('<file>', 'the backup, or a snapshot of the database')
    .action(restore)
}

/** What lies unpacked beside the data, and is sound: its files by their names, and what is wrong with some of them. */
interface Unpacked {
  readonly names: readonly string[]
  readonly problems: readonly string[]
  /** Of what the folder held, the files that give way, where they are there. */
  readonly replaced: readonly string[]
}

const database = ['outlay.db', 'outlay.db-wal', 'outlay.db-shm']

async function restore(file: string, options: DataOption): Promise<void> {
  const folder = dataFolderOf(options)
  const unlock = lockDataFolder(folder)
  const scratch = join(folder, `restoring-${systemClock.uid()}`)
  try {
    const { names, problems, replaced } = await unpack(file, { folder, scratch })
    // What replicas have seen since is another history.
    await withStoreOf(scratch, (store) => store.transact(cliActor(0), beginAsCopy))
    await putAside(folder, replaced)
    // The database last: from then on the folder holds data again.
    for (const name of [...names.filter((one) => one !== 'outlay.db'), 'outlay.db'])
      await putInPlace(join(scratch, name), join(folder, name))
    print({ ok: problems.length === 0, problems })
    if (problems.length > 0) throw new WorkFailed('Everything else was restored.')
  } finally {
    await rm(scratch, { recursive: true, force: true })
    unlock()
  }
}

/** Reads everything once before it takes the place of anything. */
async function unpack(file: string, { folder, scratch }: { folder: string; scratch: string }): Promise<Unpacked> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw new WorkFailed(`There is no file ${file}.`)
  try {
    return (await isDatabaseFile(file)) ? await unpackSnapshot(file, { folder, scratch }) : await unpackBackup(file, scratch)
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === undefined ? error : new WorkFailed(`${file} cannot be restored, and nothing was changed: ${reason}`)
  }
}

/** Why a file cannot be restored, where that is for a reason of its own. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ArchiveRefused) return `${error.message}.`
  if (error instanceof DatabaseRefused) return error.kind === 'newer' ? error.message : `it is damaged (${error.found}).`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return error instanceof Error && /^SQLITE_(CORRUPT|NOTADB)/.test(code) ? `it is damaged (${error.message}).` : undefined
}

/** Uploaded files never change and lie in the folder already; the settings stay as they are too. */
async function unpackSnapshot(file: string, { folder, scratch }: { folder: string; scratch: string }): Promise<Unpacked> {
  await makeFolder(scratch)
  await copyDatabase(file, join(scratch, 'outlay.db'))
  return withStoreOf(scratch, async (store) => {
    refuseDamaged(store)
    return { names: ['outlay.db'], problems: await findBlobProblems(store, blobsIn(folder)), replaced: database }
  })
}

async function unpackBackup(file: string, scratch: string): Promise<Unpacked> {
  const names = await extractArchive(file, scratch)
  if (!names.includes('outlay.db')) throw new ArchiveRefused('it is no backup')
  return withStoreOf(scratch, async (store) => {
    refuseDamaged(store)
    const damaged: string[] = []
    for (const { sha256 } of await listAllBlobs(store.reader))
      if ((await blobsIn(scratch).verify(sha256)).kind === 'damaged') damaged.push(sha256)
    const problems = damaged.map((sha256) => `The file ${sha256} is damaged.`)
    const wanted = names.filter((name) => !damaged.includes(basename(name)))
    return { names: wanted, problems, replaced: [...database, 'settings.json'] }
  })
}

function blobsIn(folder: string) {
  return createBlobStore(folder, { randomId: () => systemClock.uid() })
}

function refuseDamaged(store: Store): void {
  const [problem] = store.problems()
  if (problem !== undefined) throw new DatabaseRefused('damaged', problem)
}

async function putInPlace(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await rename(from, to)
  await syncFolder(dirname(to))
}

async function putAside(folder: string, replaced: readonly string[]): Promise<void> {
  const present = replaced.filter((name) => existsSync(join(folder, name)))
  if (present.length === 0) return
  const aside = join(folder, `replaced-${systemClock.now().toISOString().replaceAll(/\W/g, '')}`)
  await mkdir(aside, { mode: 0o700 })
  for (const name of present) await rename(join(folder, name), join(aside, name))
  tell(`What was there before is in ${aside}.`)
}
