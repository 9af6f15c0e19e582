import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { toInstant } from '#shared/domain/dates'
import { systemClock } from '../clock'
import { SettingsError, readSettings, uploadBucketOf } from '../config/settings'
import { type BlobStore, blobName } from '../files/blob-store'
import { BucketUnreachable, createBucket } from '../files/bucket'
import { BucketOfAnother } from '../files/bucket-store/owner-mark'
import { readOrMakeIdentity } from '../store/core/instance-settings'
import { listReports } from '../snapshots/reports'
import { listSnapshots, snapshotFolder } from '../snapshots/snapshot-files'
import { problemsOfFile } from '../store/core/integrity'
import { DatabaseError } from '../store/core/database-error'
import { listDerivedProblems, mendDerived } from '../store/records/expenses/derived-values'
import { listAllBlobs } from '../store/core/instance-reader'
import { listVerdictProblems, mendVerdicts } from '../store/records/expenses/verdicts'
import type { Store, Tx } from '../store/core/store'
import { isReplica, listForks } from '../store/sync/replica-state'
import { keepsUnnamedFiles } from '../store/core/database-files'
import { noteBlobTransfer } from '../store/sync/sync-blobs'
import { findLocalUser } from '../store/records/users/user-reader'
import { verifyFolder, wordProblem } from './audit'
import { findBlobProblems } from './blob-problems'
import { cliActor, existingFolderOf, keepPrivate, openFilesOf, usableSettings, withStoreOf } from './command-context'
import { type DataOption, WorkFailed, print, tell } from './data-command'

interface DoctorOptions extends DataOption {
  readonly fix?: true
  readonly files?: true
}

/** Whether to repair, and whether to read every file of a bucket. */
interface Look {
  readonly isFixing: boolean
  readonly readsFiles: boolean
}

/** A check: how to find its problems, and how to repair them if possible. */
interface Check {
  readonly find: () => Promise<string[]>
  readonly mend?: () => Promise<void>
}

/** A younger file may still be being written, so it is not a leftover. */
const leftoverAgeMs = 3_600_000

/** The most printed problems of one kind. */
const mostShown = 20

/** `outlay doctor`: checks a data folder, also while a server runs on it; `--fix` repairs derived data. Exit 1 if problems remain. */
export function doctorCommand(command: Command): Command {
  return command
    .option('--fix', 'repair what can be derived from the rest')
    .option('--files', 'read every file of a bucket, and not only its size')
    .action(examine)
}

async function examine(options: DoctorOptions): Promise<void> {
  const folder = existingFolderOf(options)
  await keepPrivate(folder)
  const readsFiles = options.files === true
  const before = await findProblems(folder, { isFixing: options.fix === true, readsFiles })
  const left = options.fix && before.length > 0 ? await findProblems(folder, { isFixing: false, readsFiles }) : before
  const isLeft = new Set(left.flat())
  const fixed = before.flatMap((found) => shorten(found.filter((problem) => !isLeft.has(problem))))
  const snapshots = await examineSnapshots(folder)
  const problems = [...left, snapshots.flatMap(({ problem }) => problem ?? [])].flatMap(shorten)
  for (const { path, taken_at, problem } of snapshots) tell(`Snapshot of ${toInstant(taken_at)}, ${problem ? 'damaged' : 'sound'}: ${path}`)
  await notifySetAside(folder)
  print({ ok: problems.length === 0, problems, ...(options.fix && { fixed }) })
  if (problems.length > 0)
    throw new WorkFailed(options.fix ? 'Repair the rest by hand.' : 'Run "outlay doctor --fix" to repair what can be derived.')
}

/** The snapshots of the folder, newest first, with the problems of those that cannot be used for recovery. */
async function examineSnapshots(folder: string) {
  return (await listSnapshots(snapshotFolder(folder, usableSettings(folder)))).map(({ path, taken_at }) => {
    const [found] = problemsOfFile(path)
    const problem = found === undefined ? undefined : `The snapshot ${path} cannot be used (${found}). Remove it.`
    return { path, taken_at, problem }
  })
}

/** Reports damaged databases that were quarantined at startup. */
async function notifySetAside(folder: string): Promise<void> {
  for (const { folder: path, what, found_at, snapshot_taken_at, acknowledged_at } of await listReports(folder))
    tell(
      [
        `Quarantined on ${found_at}, a damaged ${what}: ${path}`,
        snapshot_taken_at && `the snapshot of ${snapshot_taken_at} took its place`,
        !acknowledged_at && 'nobody has confirmed yet that they know what is missing',
      ]
        .filter(Boolean)
        .join('; '),
    )
}

/** The first problems of a check, and the number of others. */
function shorten(found: readonly string[]): string[] {
  const more = found.length - mostShown
  return more > 0 ? [...found.slice(0, mostShown), `And ${more} more of these.`] : [...found]
}

/** The problems that each check found, in the order of checks, without those that found none. */
async function findProblems(folder: string, { isFixing, readsFiles }: Look): Promise<string[][]> {
  const problems: string[][] = []
  const run = async ({ find, mend }: Check) => {
    const found = await find()
    if (found.length === 0) return
    problems.push(found)
    if (isFixing) await mend?.()
  }
  await run({ find: () => Promise.resolve(findSettingsProblems(folder)) })
  await run({ find: () => findBucketProblems(folder) })
  const blobs = await openFilesOf(folder)
  const [isAway] = await findFilesAway(blobs)
  if (isAway !== undefined) problems.push([isAway])
  try {
    await withStoreOf(folder, async (store) => {
      for (const check of checksOf(store, folder)) await run(check)
      for (const check of isAway === undefined ? checksOfFiles(store, blobs, readsFiles) : []) await run(check)
    })
  } catch (error) {
    if (!isDatabaseFault(error)) throw error
    problems.push([`The database cannot be read: ${error.message}`])
  }
  return problems
}

/** Whether an error means a damaged or invalid database; the driver's message is the finding. */
function isDatabaseFault(error: unknown): error is Error {
  if (error instanceof DatabaseError) return true
  return error instanceof Error && 'code' in error && (error.code === 'SQLITE_NOTADB' || String(error.code).startsWith('SQLITE_CORRUPT'))
}

function checksOf(store: Store, folder: string): Check[] {
  return [
    { find: () => Promise.resolve(store.problems()) },
    { find: () => listDerivedProblems(store.reader), mend: () => mendAs(store, mendDerived) },
    { find: () => listVerdictProblems(store.reader), mend: () => mendAs(store, mendVerdicts) },
    { find: () => findTrailProblems(store, folder) },
  ]
}

function checksOfFiles(store: Store, blobs: BlobStore, readsFiles: boolean): Check[] {
  return [
    { find: () => findBlobProblems(store, blobs, { readsFiles }), mend: () => fetchAgain(store, blobs) },
    {
      find: () => findOrphans(store, blobs).then((all) => all.map((sha256) => `No record names the file ${whereOf(blobs, sha256)}.`)),
      mend: () => removeOrphans(store, blobs),
    },
    { find: () => findLeftovers(blobs.root), mend: () => blobs.sweepIncoming(leftoverAgeMs, systemClock.now()).then(() => undefined) },
  ]
}

/**
 * Checks the trail against its seals and the witness's heads; on a replica, whether the remote's trail was replaced. Files are checked separately.
 */
async function findTrailProblems(store: Store, folder: string): Promise<string[]> {
  const of = (id: number) => `The audit trail of organization ${id}: `
  if (await isReplica(store.reader)) {
    const forks = await listForks(store.reader)
    return forks.map(
      ({ organization_id: id, number, sealed_at, noticed_at }) =>
        `${of(id)}since ${noticed_at} the remote does not continue seal ${number} of ${sealed_at}, which this replica has seen.`,
    )
  }
  const { problems } = await verifyFolder(store, folder, { withoutFiles: true })
  // Derived values have a separate check, which can repair them.
  const own = problems.filter(({ code }) => code !== 'record_derived')
  return own.map((one) => `${of(one.organization_id)}${wordProblem(one)}`)
}

function findSettingsProblems(folder: string): string[] {
  try {
    readSettings(folder, process.env)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return [error.message]
    throw error
  }
}

/** Finds a bucket that cannot be read, whose uploads cannot be attached. A missing object shows that it can be read. */
async function findBucketProblems(folder: string): Promise<string[]> {
  const access = uploadBucketOf(usableSettings(folder))
  if (!access) return []
  try {
    await createBucket(access).read('outlay-doctor', { now: systemClock.now(), take: () => Promise.resolve() })
    return []
  } catch (error) {
    if (!(error instanceof BucketUnreachable)) throw error
    return [`The bucket of uploads, ${access.url}, cannot be used: ${error.message}`]
  }
}

/** Finds a bucket that does not respond or belongs to another instance: its files cannot be checked. */
async function findFilesAway(blobs: BlobStore): Promise<string[]> {
  const { place, root } = blobs
  if (!place) return []
  try {
    await withStoreOf(root, async (store) => blobs.own((await readOrMakeIdentity(store, systemClock)).instance_uid))
    await blobs.check()
    return []
  } catch (error) {
    if (error instanceof BucketOfAnother) return [`The bucket of files, ${place.url}, cannot be used: ${error.message}`]
    // An unreadable database is a separate finding.
    return error instanceof BucketUnreachable ? [`The bucket of files, ${place.url}, cannot be used: ${error.message}`] : []
  }
}

function whereOf({ place, root }: BlobStore, sha256: string): string {
  return place ? `${place.url}/${blobName(sha256)}` : join(root, blobName(sha256))
}

async function mendAs(store: Store, mend: (tx: Tx) => Promise<void>): Promise<void> {
  const user = await findLocalUser(store.reader)
  await store.transact(cliActor(user?.id ?? 0), mend)
}

/** Fetches missing files on a replica from its remote; on other instances only a backup has them. */
async function fetchAgain(store: Store, blobs: BlobStore): Promise<void> {
  if (!(await isReplica(store.reader))) return
  for (const { sha256, bytes } of await listAllBlobs(store.reader)) {
    const { kind } = await blobs.verify(sha256)
    if (kind === 'intact') continue
    await blobs.remove(sha256)
    await store.transact(cliActor(0), (tx) => noteBlobTransfer(tx, { sha256, bytes, direction: 'down' }))
  }
}

async function findOrphans({ reader }: Store, blobs: BlobStore): Promise<string[]> {
  if (await keepsUnnamedFiles(blobs.root)) return []
  const known = new Set((await listAllBlobs(reader)).map(({ sha256 }) => sha256))
  const orphans: string[] = []
  for await (const { sha256, kept_at } of blobs.list()) if (!known.has(sha256) && kept_at < leftBefore()) orphans.push(sha256)
  return orphans
}

async function removeOrphans(store: Store, blobs: BlobStore): Promise<void> {
  for (const sha256 of await findOrphans(store, blobs)) await blobs.removeOld(sha256, leftBefore())
}

function leftBefore(): Date {
  return new Date(systemClock.now().getTime() - leftoverAgeMs)
}

async function findLeftovers(folder: string): Promise<string[]> {
  const incoming = join(folder, 'incoming')
  const names = await readdir(incoming).catch(() => [])
  const left: string[] = []
  for (const name of names) if (await isOld(join(incoming, name))) left.push(`The upload ${join(incoming, name)} was never finished.`)
  return left
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtime < leftBefore()
}
