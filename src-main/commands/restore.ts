import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { systemClock } from '../clock'
import { ArchiveError, extractArchive } from '../files/archive'
import { type BlobStore, blobName, createBlobStore } from '../files/blob-store'
import { makeFolder, syncFolder } from '../files/durable'
import { isDatabaseFile } from '../files/sniff'
import { DatabaseError } from '../store/core/database-error'
import { hasDatabase } from '../store/core/database-files'
import { lockDataFolder, withFolderAlone } from '../store/core/folder-locks'
import { listAllBlobs } from '../store/core/instance-reader'
import { copyDatabase } from '../store/core/integrity'
import { isRestoring, settleRestore, swapFiles } from '../store/core/restore-swap'
import { beginAsCopy } from '../store/core/restored-copy'
import { Store } from '../store/core/store'
import { auditKeyFile } from '../use-cases/audit/audit-key'
import { elsewhereEntry } from './backup'
import { findBlobProblems } from './blob-problems'
import { cliActor, dataFolderOf, keepPrivate, openFilesOf } from './command-context'
import { type DataOption, WorkFailed, print, tell } from './data-command'

/** The settings for the location of data and files, which belong to a backup. All others belong to the machine. */
const ofBooks = /^OUTLAY_(DATABASE_URL$|BUCKET_)/

/**
 * Replaces the settings of an unpacked backup, in `scratch`, with this machine's: its address, secrets and folders differ from those of the machine
 * that made the backup. A folder without data keeps the backup's. Returns whether there are settings.
 */
function keepOwnSettings({ folder, scratch }: { folder: string; scratch: string }): boolean {
  const path = join(scratch, 'settings.json')
  const own = readSettingsFile(join(folder, 'settings.json'))
  if (own === undefined && !hasDatabase(folder)) return existsSync(path)
  const picked = (settings: Readonly<Record<string, unknown>> = {}, isOfBooks: boolean) =>
    Object.entries(settings).filter(([name]) => ofBooks.test(name) === isOfBooks)
  const kept = Object.fromEntries([...picked(own, false), ...picked(readSettingsFile(path), true)])
  const isAny = own !== undefined || Object.keys(kept).length > 0
  if (isAny || existsSync(path)) writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  return isAny
}

function readSettingsFile(path: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

/** `outlay restore FILE`: restores the data folder from a backup or snapshot. Its earlier content is moved, not deleted. */
export function restoreCommand(command: Command): Command {
  return command.action(restore)
}

/** A complete backup, unpacked in a subfolder of the data folder. */
interface Unpacked {
  readonly blobs: readonly string[]
  /** The files to move into the data folder, the database last. */
  readonly placed: readonly string[]
  readonly removed: readonly string[]
  readonly problems: readonly string[]
  /** The place of files from now on. */
  readonly files: BlobStore
}

const database = 'outlay.db'
const logFiles = ['outlay.db-wal', 'outlay.db-shm']
const settings = 'settings.json'

async function restore(file: string, options: DataOption): Promise<void> {
  const folder = dataFolderOf(options)
  const unlock = lockDataFolder(folder)
  try {
    await keepPrivate(folder)
    await settleRestore(folder)
    const { problems } = await withFolderAlone(folder, () => replaceWith(file, folder))
    print({ ok: problems.length === 0, problems })
    if (problems.length > 0) throw new WorkFailed('Everything else was restored.')
  } finally {
    unlock()
  }
}

async function replaceWith(file: string, folder: string): Promise<Unpacked> {
  const from = `restoring-${systemClock.uid()}`
  const scratch = join(folder, from)
  try {
    const unpacked = await unpack(file, { folder, scratch })
    const { blobs, placed, removed, files } = unpacked
    // Replicas have seen another history since the backup.
    await withCopyOf(scratch, (store) => store.transact(cliActor(0), beginAsCopy))
    // Uploaded files never change: extra ones are harmless if the restore ends here.
    for (const sha256 of blobs) await putInPlace(files, { from: blobPath(scratch, sha256), to: blobPath(folder, sha256) })
    files.close()
    const aside = `replaced-${systemClock.now().toISOString().replaceAll(/\W/g, '')}`
    swapFiles(folder, { from, aside, placed: [...placed], removed: [...removed] })
    if (existsSync(join(folder, aside))) tell(`The previous data is in ${join(folder, aside)}.`)
    return unpacked
  } finally {
    if (!isRestoring(folder)) await rm(scratch, { recursive: true, force: true })
  }
}

function blobPath(folder: string, sha256: string): string {
  return join(folder, blobName(sha256))
}

/** Whether this is the name of a file in backups. */
function isOfBackup(name: string): boolean {
  const [, first = '', second = '', sha256 = ''] = /^blobs\/([0-9a-f]{2})\/([0-9a-f]{2})\/([0-9a-f]{64})$/.exec(name) ?? []
  return [database, settings, auditKeyFile, elsewhereEntry].includes(name) || (sha256 !== '' && sha256.startsWith(first + second))
}

/** Reads everything once before it replaces anything. */
async function unpack(file: string, { folder, scratch }: { folder: string; scratch: string }): Promise<Unpacked> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw new WorkFailed(`There is no file ${file}.`)
  try {
    return (await isDatabaseFile(file)) ? await unpackSnapshot(file, { folder, scratch }) : await unpackBackup(file, { folder, scratch })
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === undefined ? error : new WorkFailed(`${file} cannot be restored, and nothing was changed: ${reason}`)
  }
}

/** The specific reason why a file cannot be restored, if there is one. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ArchiveError) return `${error.message}.`
  if (error instanceof DatabaseError) return error.kind === 'newer' ? error.message : `it is damaged (${error.found}).`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return error instanceof Error && /^SQLITE_(CORRUPT|NOTADB)/.test(code) ? `it is damaged (${error.message}).` : undefined
}

/** Unpacks a snapshot: uploaded files never change and are in the folder already, and the settings stay. */
async function unpackSnapshot(file: string, { folder, scratch }: { folder: string; scratch: string }): Promise<Unpacked> {
  await makeFolder(scratch)
  await copyDatabase(file, join(scratch, database))
  return withCopyOf(scratch, async (store) => {
    refuseDamaged(store)
    const files = await openFilesOf(folder)
    return { blobs: [], placed: [database], removed: logFiles, problems: await findBlobProblems(store, files), files }
  })
}

async function unpackBackup(file: string, { folder, scratch }: { folder: string; scratch: string }): Promise<Unpacked> {
  const names = await extractArchive(file, { folder: scratch, isExpected: isOfBackup })
  if (!names.includes(database)) throw new ArchiveError('it is no backup')
  const isSet = keepOwnSettings({ folder, scratch })
  return withCopyOf(scratch, async (store) => {
    refuseDamaged(store)
    const blobs: string[] = []
    // The restored settings say where files are kept from now on.
    const files = await openFilesOf(scratch)
    const problems = names.includes(elsewhereEntry) ? await findInBucket(store, scratch, files) : []
    const unpackedFiles = createBlobStore(scratch, { randomId: () => systemClock.uid() })
    for (const { sha256 } of await listAllBlobs(store.reader)) {
      const { kind } = await unpackedFiles.verify(sha256)
      if (kind === 'intact') blobs.push(sha256)
      else if (kind === 'damaged') problems.push(`The file ${sha256} is damaged.`)
    }
    // If the backup has no key, the current key stays in use.
    const key = names.includes(auditKeyFile) ? [auditKeyFile] : []
    const placed = [...(isSet ? [settings] : []), ...key, database]
    return { blobs, placed, removed: isSet ? logFiles : [...logFiles, settings], problems, files }
  })
}

/** Opens an unpacked database, which nobody else uses. */
async function withCopyOf<T>(scratch: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await Store.open(scratch, { clock: systemClock, isOwner: false })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const listed = z.object({ bucket: z.string().optional(), files: z.array(z.unknown()) })

/** The files of a backup without files, in the bucket of its settings. Throws {@link ArchiveError} if the settings name no bucket. */
async function findInBucket(store: Store, scratch: string, files: BlobStore): Promise<string[]> {
  const { bucket, files: all } = listed.parse(JSON.parse(await readFile(join(scratch, elsewhereEntry), 'utf8')))
  if (files.place) return findBlobProblems(store, files)
  throw new ArchiveError(`it holds none of its ${all.length} files: they are in ${bucket}. Name that bucket in OUTLAY_BUCKET_URL`)
}

function refuseDamaged(store: Store): void {
  const [problem] = store.problems()
  if (problem !== undefined) throw new DatabaseError('damaged', problem)
}

async function putInPlace(files: BlobStore, { from, to }: { from: string; to: string }): Promise<void> {
  if (files.place) {
    const sha256 = basename(from)
    // A damaged file of the same size would be taken for the right one.
    if ((await files.verify(sha256)).kind === 'damaged') await files.remove(sha256)
    return files.keep(await files.receive(createReadStream(from), { maxBytes: Number.MAX_SAFE_INTEGER }))
  }
  await makeFolder(dirname(to))
  await rename(from, to)
  await syncFolder(dirname(to))
}
