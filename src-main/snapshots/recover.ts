import { constants, existsSync } from 'node:fs'
import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import { makeFolder, syncFolder } from '#main/files/durable'
import { databaseFiles } from '#main/store/core/database-files'
import { DatabaseError } from '#main/store/core/database-error'
import { withFolderAlone } from '#main/store/core/folder-locks'
import { isReplica } from '#main/store/sync/replica-state'
import { settleRestore } from '#main/store/core/restore-swap'
import { beginAsCopy } from '#main/store/core/restored-copy'
import { Store } from '#main/store/core/store'
import { type Report, beginReport, listReports, removeUnbegun, writeReport } from './reports'
import { listSnapshots } from './snapshot-files'
import { snapshotBeforeUpgrade } from './before-upgrade'
import { isBehind, lastIdsOf } from './position'
import { StartFault, toStartFault } from './start-fault'

/** How the data of a folder are opened, and what becomes of damaged ones. */
export interface RecoverOptions {
  readonly data_folder: string
  /** The folder of the snapshots. */
  readonly snapshots: string
  readonly clock: Clock
  readonly log: Logger
  /** Where no snapshot is good an empty instance is begun; else the start is refused, and nothing touched. */
  readonly startsOver: boolean
}

/**
 * Opens the data of a folder for the process that serves it and holds its lock. It quarantines a damaged database whole, opens the newest
 * good snapshot instead, and writes a report; a start that was interrupted in the middle continues here.
 * Throws {@link StartFault}.
 */
export async function openOrRecover(options: RecoverOptions): Promise<Store> {
  const { data_folder, clock } = options
  try {
    await settleRestore(data_folder)
    await removeLeftovers(data_folder)
    const begun = (await listReports(data_folder)).find(({ what, state }) => what === 'database' && state === 'moving')
    const found = begun?.reason ?? (await findLoss(options))
    const opened = found === undefined ? await tryOpen(options) : found
    if (opened instanceof Store) return opened
    const report = begun ?? beginReport({ what: 'database', reason: opened }, { data_folder, now: clock.now() })
    await withFolderAlone(data_folder, () => recover(options, report))
    return await open(options)
  } catch (error) {
    throw toStartFault(error, data_folder)
  }
}

/** Copies of an interrupted recovery or restore; the holder of the lock makes no others. */
async function removeLeftovers(data_folder: string): Promise<void> {
  const names = (await readdir(data_folder)).filter((name) => name.startsWith('restoring-'))
  for (const name of names) await rm(join(data_folder, name), { recursive: true, force: true })
  await removeUnbegun(data_folder)
}

function open({ data_folder, snapshots, clock }: RecoverOptions): Promise<Store> {
  const beforeUpgrade = () => snapshotBeforeUpgrade(data_folder, { folder: snapshots, clock })
  return Store.open(data_folder, { clock, isOwner: true, readsApart: true, beforeUpgrade })
}

/** The store, or what is damaged. */
async function tryOpen(options: RecoverOptions): Promise<Store | string> {
  try {
    return await open(options)
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'damaged') return error.found
    throw error
  }
}

/** What is gone without a trace in the database itself: all of it, or its write-ahead log. */
async function findLoss({ data_folder, snapshots }: RecoverOptions): Promise<string | undefined> {
  const [path, log] = databaseFiles(data_folder)
  const [newest] = await listSnapshots(snapshots)
  if (await isEmpty(path)) return newest || !(await isEmpty(log)) ? 'the database is not there' : undefined
  const isLogGone = newest !== undefined && (await isEmpty(log))
  return isLogGone && isBehind(path, newest.path) ? 'the database is older than its own snapshot' : undefined
}

async function isEmpty(path: string): Promise<boolean> {
  return ((await stat(path).catch(() => undefined))?.size ?? 0) === 0
}

async function recover(options: RecoverOptions, begun: Report): Promise<void> {
  const { data_folder, clock, log } = options
  const [path] = databaseFiles(data_folder)
  const scratch = join(data_folder, `restoring-${clock.uid()}`)
  const isPlaced = existsSync(path) && existsSync(join(begun.folder, basename(path)))
  try {
    const copy = isPlaced ? undefined : ((await prepareCopy(options, scratch)) ?? (await prepareEmpty(options, scratch)))
    if (!isPlaced && copy === undefined) throw new StartFault('damaged', { folder: data_folder, reason: begun.reason })
    const report = { ...begun, ...copy }
    await makeFolder(report.folder)
    await writeReport(report)
    if (!isPlaced) await setAside(data_folder, report.folder)
    if (copy !== undefined) await rename(join(scratch, basename(path)), path)
    await syncFolder(data_folder)
    await writeReport({ ...report, state: 'done' })
    const { folder, reason, snapshot_taken_at } = report
    log.error({ folder, reason, snapshot_taken_at }, 'the database was damaged: it was set aside')
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The database last: as long as it is in its place, nothing else was put there. */
async function setAside(data_folder: string, folder: string): Promise<void> {
  for (const path of databaseFiles(data_folder).reverse()) if (existsSync(path)) await rename(path, join(folder, basename(path)))
  await syncFolder(folder)
}

type Copy = Pick<Report, 'snapshot_taken_at' | 'is_replica' | 'last'>

/** Copies the newest snapshot that is sound, fit to be served, into a folder; undefined where there is none. */
async function prepareCopy({ data_folder, snapshots, clock, log }: RecoverOptions, scratch: string): Promise<Copy | undefined> {
  const [database] = databaseFiles(scratch)
  for (const { path, taken_at } of await listSnapshots(snapshots)) {
    try {
      await rm(scratch, { recursive: true, force: true })
      await makeFolder(scratch)
      await copyFile(path, database, constants.COPYFILE_FICLONE)
      return { ...(await makeReady(scratch, clock)), snapshot_taken_at: taken_at.toISOString() }
    } catch (error) {
      const fault = toStartFault(error, data_folder)
      if (!(fault instanceof StartFault) || !['damaged', 'newer'].includes(fault.kind)) throw error
      log.error({ path, reason: fault.message }, 'a snapshot cannot be used')
    }
  }
  return undefined
}

/** An empty database, where the instance may begin again without its data. */
async function prepareEmpty({ clock, startsOver }: RecoverOptions, scratch: string): Promise<Copy | undefined> {
  if (!startsOver) return undefined
  await rm(scratch, { recursive: true, force: true })
  await makeFolder(scratch)
  await (await Store.open(scratch, { clock, isOwner: true })).close()
  return { is_replica: false, last: {}, snapshot_taken_at: null }
}

async function makeReady(scratch: string, clock: Clock): Promise<Pick<Report, 'is_replica' | 'last'>> {
  const store = await Store.open(scratch, { clock, isOwner: true })
  try {
    const [problem] = store.problems()
    if (problem !== undefined) throw new DatabaseError('damaged', problem)
    const nobody = { user_id: 0, origin: 'app', request_id: null, if_match: null }
    await store.transact(nobody, beginAsCopy)
    return { is_replica: await isReplica(store.reader), last: lastIdsOf(databaseFiles(scratch)[0]) }
  } finally {
    await store.close()
  }
}
