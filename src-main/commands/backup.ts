import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../clock'
import { type ArchiveEntry, writeArchive } from '../files/archive'
import { type BlobStore, createBlobStore } from '../files/blob-store'
import { listAllBlobs } from '../store/core/instance-reader'
import { problemsOfFile } from '../store/core/integrity'
import type { Store } from '../store/core/store'
import { auditKeyFile } from '../use-cases/audit/audit-key'
import { type DataOption, WorkFailed, dataCommand, existingFolderOf, keepPrivate, print, withStoreOf } from './command-context'

/** `outlay backup FILE`: the database at one moment, every file it names and the settings, as one tar archive. */
export function backupCommand(): Command {
  return dataCommand('backup', 'Copy the data folder into one file, while it is served')
    .argument('<file>', 'the new file')
    .action(backup)
}

async function backup(file: string, options: DataOption): Promise<void> {
  const folder = existingFolderOf(options)
  await keepPrivate(folder)
  if (existsSync(file)) throw new WorkFailed(`${file} is there already. Name a new file.`)
  const blobs = createBlobStore(folder, { randomId: () => systemClock.uid() })
  // Among uploads that have not ended, so that a copy that was cut off is swept away with them.
  const incoming = join(folder, 'incoming')
  const copy = join(incoming, `backup-${systemClock.uid()}`)
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  try {
    const { entries, problems: ofFiles } = await withStoreOf(folder, async (store) => {
      if (!store.isFile) throw new WorkFailed('These data are in PostgreSQL. Copy them with pg_dump, and the data folder with its files.')
      await store.copyTo(copy)
      return listFiles(store, blobs)
    })
    const problems = [...problemsOfFile(copy), ...ofFiles]
    const besides = ['settings.json', auditKeyFile].map((name) => ({ name, path: join(folder, name) }))
    await writeArchive(file, [{ name: 'outlay.db', path: copy }, ...besides.filter(({ path }) => existsSync(path)), ...entries])
    print({ ok: problems.length === 0, problems })
    if (problems.length > 0)
      throw new WorkFailed('The backup was written with this damage. Keep the backups that you made before.')
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${copy}${suffix}`, { force: true })
  }
}

/** Listed after the database was copied: files only ever come, so all that the copy names are among them. */
async function listFiles({ reader }: Store, blobs: BlobStore): Promise<{ entries: ArchiveEntry[]; problems: string[] }> {
  const entries: ArchiveEntry[] = []
  const problems: string[] = []
  for (const { sha256 } of await listAllBlobs(reader)) {
    const { kind } = await blobs.verify(sha256)
    if (kind !== 'intact') problems.push(`The file ${sha256} is ${kind}.`)
    else
      entries.push({ name: `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`, path: (await blobs.open(sha256)).path })
  }
  return { entries, problems }
}
