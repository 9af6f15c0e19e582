import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { Store } from '#main/store/core/store'
import { NoSnapshot, makeSnapshot } from './make-snapshot'
import { listSnapshots, outdatedSnapshots } from './snapshot-files'

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
  /** Makes a snapshot now, unless nothing has changed since the last; returns its path, or null where none was made. */
  make(): Promise<string | null>
  /** How many could not be made since the start, and whether the last try failed. */
  readonly failures: () => { readonly count: number; readonly isFailing: boolean }
  /** Ends a snapshot that is being made. */
  close(): Promise<void>
}

/** By then the first screen has its responses: until then the disk and both cores are theirs. */
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
  let failed = { count: 0, isFailing: false }

  const attempt = async (): Promise<string | null> => {
    const revision = store.revision()
    if (ending.signal.aborted || revision === taken) return null
    try {
      const path = await keepSnapshot(parts, ending.signal)
      taken = revision
      failed = { ...failed, isFailing: false }
      return path
    } catch (error) {
      // What could not be copied now is tried again later.
      if (ending.signal.aborted) return null
      failed = { count: failed.count + 1, isFailing: true }
      if (error instanceof NoSnapshot) log.error({ ...error.facts }, error.message)
      else log.error({ err: error }, 'the snapshot could not be made')
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
    failures: () => failed,
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

async function keepSnapshot({ clock, log, data_folder, folder }: KeeperParts, signal: AbortSignal): Promise<string> {
  const started = clock.monotonicMs()
  const { path, bytes } = await makeSnapshot({ data_folder, folder, now: clock.now(), spareBytes, signal })
  for (const old of outdatedSnapshots(await listSnapshots(folder), clock.now())) await rm(old.path, { force: true })
  log.info({ path, bytes, ms: Math.round(clock.monotonicMs() - started) }, 'a snapshot was made')
  return path
}
