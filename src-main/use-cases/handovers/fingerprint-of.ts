import { createHash } from 'node:crypto'
import type { ExportRow } from '../exports/export-rows'
import { toExported } from '../exports/exported-expense'

/** Attributes that accounting does not book: an expense's review, and its and its people's names and ids. */
const unbooked = new Set(['status', 'id', 'external_id', 'organization', 'receiver', 'receiver_email'])

/** A hash of an expense's values for the books: if it differs, the file is no longer right. */
export function fingerprintOf(row: ExportRow): string {
  const stated = Object.entries(toExported(row)).filter(([name, value]) => value !== null && !unbooked.has(name))
  const text = JSON.stringify([row.expense.receiver_id, ...stated])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
