import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../core/reader'
import type { Tx } from '../core/store'

/** Which job. */
export interface JobKey {
  readonly kind: string
  readonly id: string
}

/** A job that one server has taken, as `holder`. */
export interface HeldJob extends JobKey {
  readonly holder: string
}

const serverJob = z.object({
  id: z.string(),
  record: z.string(),
  waits: z.int(),
  /** Whether a server is working on it. */
  held: z.int(),
  /** How often a server has taken it since it was wanted. */
  takes: z.int(),
  done: z.int(),
  total: z.int().nullable(),
  place: z.string().nullable(),
})
/** A job as it is stored; truth is 1 and 0. */
export type ServerJob = z.output<typeof serverJob>

/** A server that does not renew for so long has lost what it took: it was killed, or stands still. */
export const leaseMs = 15_000

const isTaken = '(holder IS NOT NULL AND until > clock_timestamp())'
const columns = `id, record, waits, (waits AND ${isTaken})::int AS held, takes, done, total, place`
const leaseEnd = `clock_timestamp() + interval '${leaseMs} milliseconds'`

async function read(reader: Reader, query: RawBuilder<unknown>): Promise<ServerJob[]> {
  const [rows] = await reader.readHere([query.compile(reader.db)])
  return z.array(serverJob).parse(rows)
}

/** The jobs of a kind, newest first. */
export function listServerJobs(reader: Reader, kind: string): Promise<ServerJob[]> {
  return read(reader, sql`SELECT ${sql.raw(columns)} FROM server_jobs WHERE kind = ${kind} ORDER BY id DESC`)
}

/** Undefined where there is no such job. */
export async function findServerJob(reader: Reader, { kind, id }: JobKey): Promise<ServerJob | undefined> {
  return (await read(reader, sql`SELECT ${sql.raw(columns)} FROM server_jobs WHERE kind = ${kind} AND id = ${id}`))[0]
}

/** Jobs that nobody has touched for so long. */
export function listOldServerJobs(reader: Reader, kind: string, olderThanMs: number): Promise<ServerJob[]> {
  const old = sql`changed_at < clock_timestamp() - ${olderThanMs}::float8 * interval '1 millisecond'`
  return read(reader, sql`SELECT ${sql.raw(columns)} FROM server_jobs WHERE kind = ${kind} AND ${old} ORDER BY id`)
}

/** Whether a job of a kind could be taken. */
export async function isServerJobFree(reader: Reader, kind: string): Promise<boolean> {
  return (
    (
      await read(
        reader,
        sql`SELECT ${sql.raw(columns)} FROM server_jobs WHERE kind = ${kind} AND waits AND NOT ${sql.raw(isTaken)} LIMIT 1`,
      )
    ).length > 0
  )
}

/** Whether a server still has a job that it took. */
export async function isServerJobHeld(reader: Reader, { kind, id, holder }: HeldJob): Promise<boolean> {
  return (
    (
      await read(
        reader,
        sql`SELECT ${sql.raw(columns)} FROM server_jobs WHERE kind = ${kind} AND id = ${id} AND holder = ${holder} AND waits`,
      )
    ).length > 0
  )
}

/** Another server has taken the job, or nobody wants it any more. */
export class JobLost extends Error {}

/** For transactions that only who has the job may do. Throws {@link JobLost}. */
export async function assertServerJobHeld(tx: Tx, held: HeldJob): Promise<void> {
  if (!(await isServerJobHeld(tx, held))) throw new JobLost('Another server has taken this job, or it was removed.')
}

/** Stores a job, which some server is to do; a server that has it loses it. */
export async function putServerJob(tx: Tx, { kind, id }: JobKey, record: string): Promise<void> {
  await tx.write(
    `INSERT INTO server_jobs (kind, id, record, waits) VALUES (?, ?, ?, true) ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record,
      waits = true, holder = NULL, until = NULL, takes = 0, done = 0, total = NULL, changed_at = clock_timestamp()`,
    [kind, id, record],
  )
}

/** Takes the oldest job that waits, or whose holder has not renewed; undefined where there is none. */
export async function takeServerJob(tx: Tx, { kind, holder }: Omit<HeldJob, 'id'>): Promise<ServerJob | undefined> {
  const oldest = `SELECT id FROM server_jobs WHERE kind = ? AND waits AND NOT ${isTaken} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`
  const rows = await tx.writeAll(
    `UPDATE server_jobs SET holder = ?, until = ${leaseEnd}, takes = takes + 1 WHERE kind = ? AND id = (${oldest}) RETURNING ${columns}`,
    [holder, kind, kind],
  )
  return z.array(serverJob).parse(rows)[0]
}

/** Keeps a job for another lease, and notes how far it is. Throws {@link JobLost}. */
export async function renewServerJob(tx: Tx, held: HeldJob, { done, total }: Pick<ServerJob, 'done' | 'total'>): Promise<void> {
  await assertServerJobHeld(tx, held)
  await tx.write(`UPDATE server_jobs SET until = ${leaseEnd}, done = ?, total = ? WHERE kind = ? AND id = ?`, [
    done,
    total,
    held.kind,
    held.id,
  ])
}

/** Stores what became of a job, and where its files are. Throws {@link JobLost}. */
export async function finishServerJob(tx: Tx, held: HeldJob, { record, place }: Pick<ServerJob, 'record' | 'place'>): Promise<void> {
  await assertServerJobHeld(tx, held)
  await tx.write(
    `UPDATE server_jobs SET record = ?, place = ?, waits = false, holder = NULL, until = NULL, changed_at = clock_timestamp() WHERE kind = ? AND id = ?`,
    [record, place, held.kind, held.id],
  )
}

/** Lets another server take a job at once; what this one did of it does not count as a try. */
export async function releaseServerJob(tx: Tx, { kind, id, holder }: HeldJob): Promise<void> {
  await tx.write('UPDATE server_jobs SET holder = NULL, until = NULL, takes = takes - 1 WHERE kind = ? AND id = ? AND holder = ?', [
    kind,
    id,
    holder,
  ])
}

/** Removes a job; a server that has it loses it. */
export async function removeServerJob(tx: Tx, { kind, id }: JobKey): Promise<void> {
  await tx.write('DELETE FROM server_jobs WHERE kind = ? AND id = ?', [kind, id])
}
