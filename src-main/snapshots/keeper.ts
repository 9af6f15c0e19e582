import { rename, rm, statfs, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Clock } from '#main/clock'
import { makeFolder, syncFolder } from '#main/files/durable'
import { databaseFiles } from '#main/store/database'
import type { Store } from '#main/store/store'
import { inThread } from './in-thread'
import { listSnapshots, outdatedSnapshots, snapshotName } from './snapshot-files'

/** What a keeper of snapshots needs. */
export interface KeeperParts {
  readonly store: Pick<Store, 'revision'>
  readonly clock: Clock
  readonly log: Logger
  readonly data_folder: string
  readonly folder: string
  /** How much work is between two snapshots; 0: none are made. */
  readonly everyMs: number
}

/** Makes snapshots of the database while it is used. */
export interface SnapshotKeeper {
  /** Makes one soon, and then one every so often as long as something changes. */
  begin(): void
  /** Makes a snapshot now, unless nothing has changed since the last; answers its path, or null where none was made. */
  make(): Promise<string | null>
  /** Ends a snapshot that is being made. */
  close(): Promise<void>
}

/** By then the first screen has its answers: until then the disk and both cores are theirs. */
const beginAfterMs = 5000
/** What a snapshot leaves free on its disk, at the least. */
const spareBytes = 256 * 1024 ** 2

/** The keeper of an instance's snapshots. */
export function createSnapshotKeeper(parts: KeeperParts): SnapshotKeeper {
  const { store, log, everyMs } = parts
  const ending = new AbortController()
  let running: Promise<string | null> = Promise.resolve(null)
  let timer: NodeJS.Timeout | undefined
  let taken: number | undefined

  const attempt = async (): Promise<string | null> => {
    const revision = store.revision()
    if (ending.signal.aborted || revision === taken) return null
    try {
      const path = await makeSnapshot(parts, ending.signal)
      if (path !== null) taken = revision
      return path
    } catch (error) {
      // What could not be copied now is tried again; work goes on.
      if (!ending.signal.aborted) log.error({ err: error }, 'the snapshot could not be made')
      return null
    }
  }
  const make = () => (running = running.then(attempt))
  const schedule = (ms: number) => {
    timer = setTimeout(() => void make().then(() => schedule(everyMs)), ms).unref()
    if (ending.signal.aborted) clearTimeout(timer)
  }
  return {
    make,
    begin: () => {
      if (everyMs > 0 && timer === undefined) schedule(Math.min(beginAfterMs, everyMs))
    },
    close: async () => {
      ending.abort()
      clearTimeout(timer)
      await running
    },
  }
}

async function makeSnapshot({ clock, log, data_folder, folder }: KeeperParts, signal: AbortSignal): Promise<string | null> {
  const started = clock.monotonicMs()
  await makeFolder(folder)
  const [database] = databaseFiles(data_folder)
  const part = join(folder, 'making.db')
  await removeCopy(part)
  const bytes = await totalBytes(databaseFiles(data_folder))
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes + spareBytes) {
    log.warn({ bytes, free_bytes: bavail * bsize }, 'no snapshot was made: the disk has too little room')
    return null
  }
  try {
    const problem = await inThread({ name: 'copy', from: database, to: part }, { answer: z.string().nullable(), signal })
    if (problem !== null) {
      log.error({ problem }, 'no snapshot was kept: the database is damaged')
      return null
    }
    const path = join(folder, snapshotName(clock.now()))
    await rename(part, path)
    await syncFolder(dirname(path))
    for (const old of outdatedSnapshots(await listSnapshots(folder), clock.now())) await rm(old.path, { force: true })
    log.info({ path, bytes, ms: Math.round(clock.monotonicMs() - started) }, 'a snapshot was made')
    return path
  } finally {
    await removeCopy(part)
  }
}

/** A copy that was cut off, and what SQLite kept beside it. */
async function removeCopy(path: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true })
}

async function totalBytes(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0))
  return sizes.reduce((sum, size) => sum + size, 0)
}
