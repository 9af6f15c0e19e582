import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../core/reader'
import type { Tx } from '../core/store'

/** Which job. */
export interface JobKey {
  readonly kind: string
  readonly id: string
}

/** A job that was taken, as `holder`. */
export interface HeldJob extends JobKey {
  readonly holder: string
}

const job = z.object({
  id: z.string(),
  record: z.string(),
  waits: z.int(),
  /** Whether a server is working on it. */
  held: z.int(),
  /** How often it was taken since it was wanted. */
  takes: z.int(),
  done: z.int(),
  total: z.int().nullable(),
  place: z.string().nullable(),
})
/** A job as it is stored; truth is 1 and 0. */
export type Job = z.output<typeof job>

/** A server among others that does not renew for so long has lost what it took: it was killed, or stands still. */
export const leaseMs = 15_000

/** Milliseconds by the clock that all who share the database have. */
const nows = { sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)", postgres: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint' }
const isTaken = ({ dialect }: Reader) => `(holder IS NOT NULL AND (until IS NULL OR until > ${nows[dialect]}))`
const columns = (reader: Reader) =>
  `id, record, waits, CASE WHEN waits = 1 AND ${isTaken(reader)} THEN 1 ELSE 0 END AS held, takes, done, total, place`
/** Without a lease a process has what it took until it ends. */
const leaseEnd = ({ dialect }: Reader, hasLease: boolean) => (hasLease ? `${nows[dialect]} + ${leaseMs}` : 'NULL')

async function read(reader: Reader, condition: RawBuilder<unknown>): Promise<Job[]> {
  const [rows] = await reader.readHere([sql`SELECT ${sql.raw(columns(reader))} FROM jobs WHERE ${condition}`.compile(reader.db)])
  return z.array(job).parse(rows)
}

/** The jobs of a kind, newest first. */
export function listJobs(reader: Reader, kind: string): Promise<Job[]> {
  return read(reader, sql`kind = ${kind} ORDER BY id DESC`)
}

/** Undefined where there is no such job. */
export async function findJob(reader: Reader, { kind, id }: JobKey): Promise<Job | undefined> {
  return (await read(reader, sql`kind = ${kind} AND id = ${id}`))[0]
}

/** Jobs that nobody has touched since. */
export function listOldJobs(reader: Reader, kind: string, before: string): Promise<Job[]> {
  return read(reader, sql`kind = ${kind} AND changed_at < ${before} ORDER BY id`)
}

/** The jobs of a kind that could be taken, the oldest first. */
export function listFreeJobs(reader: Reader, kind: string): Promise<Job[]> {
  return read(reader, sql`kind = ${kind} AND waits = 1 AND NOT ${sql.raw(isTaken(reader))} ORDER BY id`)
}

/** Whether who took a job still has it. */
export async function isJobHeld(reader: Reader, { kind, id, holder }: HeldJob): Promise<boolean> {
  return (await read(reader, sql`kind = ${kind} AND id = ${id} AND holder = ${holder} AND waits = 1`)).length > 0
}

/** Someone else has taken the job, or nobody wants it any more. */
export class JobLost extends Error {}

/** For transactions that only who has the job may do. Throws {@link JobLost}. */
export async function assertJobHeld(tx: Tx, held: HeldJob): Promise<void> {
  if (!(await isJobHeld(tx, held))) throw new JobLost('Another server has taken this job, or it was removed.')
}

/** Stores a job that is to be done; who has it loses it. */
export async function putJob(tx: Tx, { kind, id }: JobKey, record: string): Promise<void> {
  await tx.write(
    `INSERT INTO jobs (kind, id, record, waits, changed_at) VALUES (?, ?, ?, 1, ?) ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record,
      waits = 1, holder = NULL, until = NULL, takes = 0, done = 0, total = NULL, changed_at = excluded.changed_at`,
    [kind, id, record, tx.now],
  )
}

/** Takes a job that is free; undefined where it is not any more. */
export async function takeJob(tx: Tx, { kind, id, holder }: HeldJob, hasLease: boolean): Promise<Job | undefined> {
  const rows = await tx.writeAll(
    `UPDATE jobs SET holder = ?, until = ${leaseEnd(tx, hasLease)}, takes = takes + 1
      WHERE kind = ? AND id = ? AND waits = 1 AND NOT ${isTaken(tx)} RETURNING ${columns(tx)}`,
    [holder, kind, id],
  )
  return z.array(job).parse(rows)[0]
}

/** Keeps a job for another lease, and notes how far it is. Throws {@link JobLost}. */
export async function renewJob(tx: Tx, held: HeldJob, { done, total }: Pick<Job, 'done' | 'total'>): Promise<void> {
  await assertJobHeld(tx, held)
  await tx.write(`UPDATE jobs SET until = ${leaseEnd(tx, true)}, done = ?, total = ? WHERE kind = ? AND id = ?`, [
    done,
    total,
    held.kind,
    held.id,
  ])
}

/** Stores what became of a job; without a `place` its files stay where they are. */
export async function endJob(tx: Tx, { kind, id }: JobKey, { record, place }: Pick<Job, 'record' | 'place'>): Promise<void> {
  await tx.write(
    `UPDATE jobs SET record = ?, place = COALESCE(?, place), waits = 0, holder = NULL, until = NULL, changed_at = ? WHERE kind = ? AND id = ?`,
    [record, place, tx.now, kind, id],
  )
}

/** Lets another server take a job at once; what this one did of it does not count as a try. */
export async function releaseJob(tx: Tx, { kind, id, holder }: HeldJob): Promise<void> {
  await tx.write('UPDATE jobs SET holder = NULL, until = NULL, takes = takes - 1 WHERE kind = ? AND id = ? AND holder = ?', [
    kind,
    id,
    holder,
  ])
}

/** Lets go of all that a process had which was alone and has ended. */
export async function releaseJobsOfBefore(tx: Tx, kind: string): Promise<void> {
  await tx.write('UPDATE jobs SET holder = NULL, until = NULL WHERE kind = ? AND holder IS NOT NULL', [kind])
}

/** Removes a job; who has it loses it. */
export async function removeJob(tx: Tx, { kind, id }: JobKey): Promise<void> {
  await tx.write('DELETE FROM jobs WHERE kind = ? AND id = ?', [kind, id])
}

/** Forgets what was to be done when a database was copied: the copy does not begin it again. */
export async function dropWaitingJobs(tx: Tx): Promise<void> {
  await tx.write('DELETE FROM jobs WHERE waits = 1', [])
}
