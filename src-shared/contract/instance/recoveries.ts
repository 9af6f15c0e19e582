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
  /** Whether all of it could be read: else there may be more. */
  is_complete: z.boolean(),
  /** How many records of each kind are missing, or are older versions. */
  counts: z.record(z.string(), z.int()),
  /** The first of the expenses; all rows are in `file`. */
  expenses: z.array(missingExpense),
  /** How many uploaded files the database names now that are not there. */
  files_missing: z.int(),
  /** How many uploaded files are there that it does not name. They are kept as long as the damaged database is. */
  files_unnamed: z.int(),
  /** The rows and the hashes of these files as JSON, next to the damaged database; null if nothing is missing or could be read. */
  file: z.string().nullable(),
})
export type Missing = z.infer<typeof missing>

/** Damage found at a start: where it was moved, what replaced it, what is missing. */
export const recovery = z.object({
  id: z.string(),
  what: z.enum(['database', 'settings']),
  /** What was found, in the words of the machine. */
  reason: z.string(),
  found_at: z.string(),
  /** The folder that the damaged files are in. */
  folder: z.string(),
  /** When the snapshot was made that took the database's place; null: an empty instance, or the settings' defaults. */
  snapshot_taken_at: z.string().nullable(),
  /** On a replica: records of the remote return from there automatically. */
  is_replica: z.boolean(),
  /** null: it is still being read. */
  missing: missing.nullable(),
})
export type Recovery = z.infer<typeof recovery>

/** Rows that do not match their checksums, found while the instance runs. */
export const damage = z.object({
  found_at: z.string(),
  /** Each place, in the words of the machine. */
  problems: z.array(z.string()),
})
export type Damage = z.infer<typeof damage>

/** The quarantined damage that nobody has acknowledged yet. */
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
