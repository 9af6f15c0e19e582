import { z } from 'zod'
import { nothing } from '../requests'
import { route } from '../route'

const missingExpense = z.object({
  id: z.int(),
  change: z.enum(['insert', 'update', 'delete']),
  description: z.string().nullable(),
  amount: z.number(),
  currency: z.string(),
  occurred_at: z.string(),
})
export type MissingExpense = z.infer<typeof missingExpense>

/** What was written after the snapshot, as far as the damaged database can be read. */
const missing = z.object({
  /** Whether everything could be read; otherwise there may be more. */
  is_complete: z.boolean(),
  /** The number of records of each kind that are missing, or have older versions. */
  counts: z.record(z.string(), z.int()),
  /** The first missing expenses; all rows are in `file`. */
  expenses: z.array(missingExpense),
  /** How many uploaded files that the database names are missing. */
  files_missing: z.int(),
  /** How many uploaded files the database does not name. They are kept as long as the damaged database. */
  files_unnamed: z.int(),
  /** The rows and these files' hashes as JSON, next to the damaged database; null if nothing is missing or it could not be read. */
  file: z.string().nullable(),
})
export type Missing = z.infer<typeof missing>

/** Damage found at startup: where it was moved, what replaced it, and what is missing. */
export const recovery = z.object({
  id: z.string(),
  what: z.enum(['database', 'settings']),
  /** The finding, as the machine reported it. */
  reason: z.string(),
  found_at: z.string(),
  folder: z.string(),
  /** When the snapshot that replaced the database was made; null: an empty instance, or default settings. */
  snapshot_taken_at: z.string().nullable(),
  /** On a replica, the remote's records come back automatically. */
  is_replica: z.boolean(),
  /** Null: still being read. */
  missing: missing.nullable(),
})
export type Recovery = z.infer<typeof recovery>

/** Rows that do not match their checksums, found while the instance runs. */
export const damage = z.object({
  found_at: z.string(),
  /** Each place, as the machine reported it. */
  problems: z.array(z.string()),
})
export type Damage = z.infer<typeof damage>

/** Quarantined damage that nobody has acknowledged yet. */
export const recoveryRoutes = {
  list: route({
    action: 'recoveries.use',
    name: 'recoveries.list',
    summary: 'What was damaged at a start, what is missing since, and what the last check of all rows found',
    method: 'GET',
    path: '/recoveries',
    params: nothing,
    query: nothing,
    body: z.unknown(),
    response: z.object({ recoveries: z.array(recovery), damage: damage.nullable() }),
    status: 200,
  }),
  acknowledge: route({
    action: 'recoveries.use',
    name: 'recoveries.acknowledge',
    summary: 'Say that one knows of it; what was set aside stays where it is',
    method: 'DELETE',
    path: '/recoveries/:id',
    params: z.object({ id: z.string() }),
    query: nothing,
    body: z.unknown(),
    response: z.null(),
    status: 204,
  }),
}
