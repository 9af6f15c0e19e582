import { rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '#main/files/durable'
import { runInThread } from '#main/processes/thread'
import { databaseFiles } from '#main/store/core/database-files'
import { snapshotName } from './snapshot-files'

/** Why no snapshot was kept, where that is no fault of the program. */
export class NoSnapshot extends Error {
  constructor(
    readonly kind: 'no_room' | 'damaged',
    message: string,
    readonly facts: Readonly<Record<string, unknown>>,
  ) {
    super(message)
  }
}

/** Which database is copied, and where to. */
export interface SnapshotTask {
  readonly data_folder: string
  readonly folder: string
  readonly now: Date
  /** What is left free on the disk, at the least. */
  readonly spareBytes: number
  readonly signal: AbortSignal
}

/** Copies the database as it is at one moment and checks the copy, which has its name once it is whole. Throws {@link NoSnapshot}. */
export async function makeSnapshot(task: SnapshotTask): Promise<{ path: string; bytes: number }> {
  const { data_folder, folder, now, spareBytes, signal } = task
  await makeFolder(folder)
  const [database] = databaseFiles(data_folder)
  const part = join(folder, 'making.db')
  await removeCopy(part)
  const bytes = await totalBytes(databaseFiles(data_folder))
  const { bavail, bsize } = await statfs(folder)
  const free_bytes = bavail * bsize
  if (free_bytes < bytes + spareBytes)
    throw new NoSnapshot('no_room', 'no snapshot was made: the disk has too little room', { bytes, free_bytes })
  try {
    const problem = await runInThread<string | null>({ name: 'copy', task: { from: database, to: part } }, { signal })
    if (problem !== null) throw new NoSnapshot('damaged', 'no snapshot was kept: the database is damaged', { problem })
    const path = join(folder, snapshotName(now))
    await rename(part, path)
    await syncFolder(folder)
    return { path, bytes }
  } finally {
    await removeCopy(part)
  }
}

/** An interrupted copy, and SQLite's files next to it. */
async function removeCopy(path: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true })
}

async function totalBytes(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0))
  return sizes.reduce((sum, size) => sum + size, 0)
}
