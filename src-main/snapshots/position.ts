import Database from 'better-sqlite3'
import type { LastIds } from './reports'

/** What is looked for in a damaged database: what people wrote, its trail, and the order in which it was written. */
export const salvagedTables = ['change_log', 'expenses', 'comments', 'attachments', 'activities', 'sync_journal'] as const

interface Position {
  readonly epoch: string | null
  readonly is_clean: 'yes' | 'no' | null
  readonly seq: number | null
}

const question = `SELECT (SELECT value FROM instance_settings WHERE key = 'epoch') AS epoch,
  (SELECT value FROM instance_settings WHERE key = 'closed_cleanly') AS is_clean, (SELECT max(seq) FROM change_log) AS seq`

/** Whether a database that was not closed cleanly lacks what a snapshot of the same history holds: its log was lost. */
export function isBehind(path: string, snapshot: string): boolean {
  const [here, there] = [positionOf(path), positionOf(snapshot)]
  if (here === undefined || there === undefined || here.is_clean !== 'no') return false
  return here.epoch === there.epoch && (here.seq ?? 0) < (there.seq ?? 0)
}

/** Undefined if it cannot be read: opening it will report that. */
function positionOf(path: string): Position | undefined {
  let raw: Database.Database | undefined
  try {
    raw = new Database(path, { readonly: true })
    return raw.prepare<[], Position>(question).get()
  } catch {
    return undefined
  } finally {
    raw?.close()
  }
}

/** The last ids that a sound database has given out, of each kind that is looked for in a damaged one. */
export function lastIdsOf(path: string): LastIds {
  const raw = new Database(path, { readonly: true })
  try {
    const lastOf = (table: string) => Number(raw.prepare(`SELECT max(rowid) FROM ${table}`).pluck().get() ?? 0)
    return Object.fromEntries(salvagedTables.map((table) => [table, Math.max(0, lastOf(table))]))
  } finally {
    raw.close()
  }
}
