import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../clock'
import { type ArchiveEntry, writeArchive } from '../files/archive'
import { BlobMissing, type BlobStore, blobName } from '../files/blob-store'
import { listAllBlobs } from '../store/core/instance-reader'
import { problemsOfFile } from '../store/core/integrity'
import type { Store } from '../store/core/store'
import { auditKeyFile } from '../use-cases/audit/audit-key'
import { findBlobProblems } from './blob-problems'
import { existingFolderOf, keepPrivate, openFilesOf, withStoreOf } from './command-context'
import { type DataOption, WorkFailed, print, tell } from './data-command'

interface BackupOptions extends DataOption {
  readonly files?: true
}

/** The entry of a backup that says that the files are in a bucket, and in which. */
export const elsewhereEntry = 'files.json'

/**
 * `outlay backup FILE`: the database at one moment, the settings and every named file, as one tar archive. Files in a bucket stay there unless
 * requested.
 */
export function backupCommand(command: Command): Command {
  return command.option('--files', 'the files too, where they are in a bucket').action(backup)
}

async function backup(file: string, options: BackupOptions): Promise<void> {
  const folder = existingFolderOf(options)
  await keepPrivate(folder)
  if (existsSync(file)) throw new WorkFailed(`${file} is there already. Name a new file.`)
  const blobs = await openFilesOf(folder)
  // Among unfinished uploads, so that an interrupted copy is swept with them.
  const incoming = join(folder, 'incoming')
  const copy = join(incoming, `backup-${systemClock.uid()}`)
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  try {
    const staysThere = blobs.place !== undefined && !options.files
    const named = await withStoreOf(folder, async (store) => {
      if (!store.isFile) throw new WorkFailed('These data are in PostgreSQL. Copy them with pg_dump, and the data folder with its files.')
      await store.copyTo(copy)
      return staysThere ? listElsewhere(store, blobs, `${copy}.json`) : listFiles(store, blobs)
    })
    const damage = problemsOfFile(copy)
    const besides = ['settings.json', auditKeyFile].map((name) => ({ name, path: join(folder, name) }))
    const database = { name: 'outlay.db', path: copy }
    await writeArchive(file, [database, ...besides.filter(({ path }) => existsSync(path)), ...entriesOf(named, blobs)])
    if (staysThere) tell(`The ${named.hashes.length} files are not in the backup: they are in ${blobs.place?.url}. Add them with --files.`)
    const problems = [...damage, ...named.problems]
    print({ ok: problems.length === 0, problems })
    if (problems.length > 0) throw new WorkFailed('The backup was written with this damage. Keep the backups that you made before.')
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal', '.json']) await rm(`${copy}${suffix}`, { force: true })
    blobs.close()
  }
}

/** The files that a backup names: in the backup, or only listed. */
interface NamedFiles {
  readonly hashes: readonly string[]
  readonly list?: ArchiveEntry
  readonly problems: string[]
}

/** A bucket's file is on this disk only while it is written into the archive. */
function entriesOf({ hashes, list, problems }: NamedFiles, blobs: BlobStore): ArchiveEntry[] {
  if (list) return [list]
  return hashes.map((sha256) => ({
    name: blobName(sha256),
    path: (write) =>
      blobs
        .withFile(sha256, ({ path }) => write(path))
        .catch((error: unknown) => {
          if (!(error instanceof BlobMissing)) throw error
          problems.push(`The file ${sha256} is missing.`)
        }),
  }))
}

/** Listed after the database was copied: files are only added, so all files of the copy are included. */
async function listFiles({ reader }: Store, blobs: BlobStore): Promise<NamedFiles> {
  const hashes: string[] = []
  const problems: string[] = []
  for (const { sha256 } of await listAllBlobs(reader)) {
    // A bucket's files are verified while they are copied.
    const { kind } = blobs.place ? { kind: 'intact' } : await blobs.verify(sha256)
    if (kind === 'intact') hashes.push(sha256)
    else problems.push(`The file ${sha256} is ${kind}.`)
  }
  return { hashes, problems }
}

/** The names of files that stay in the bucket; missing ones are problems. */
async function listElsewhere(store: Store, blobs: BlobStore, path: string): Promise<NamedFiles> {
  const problems = await findBlobProblems(store, blobs)
  const rows = await listAllBlobs(store.reader)
  const files = rows.map(({ sha256, bytes }) => ({ sha256, bytes }))
  await writeFile(path, `${JSON.stringify({ bucket: blobs.place?.url, files })}\n`, { mode: 0o600 })
  return { hashes: rows.map(({ sha256 }) => sha256), list: { name: elsewhereEntry, path }, problems }
}
