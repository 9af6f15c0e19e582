import { createHash } from 'node:crypto'
import type { ExportRow } from '../exports/export-rows'
import { toExported } from '../exports/exported-expense'

/** What accounting does not book: where an expense is in review, and how it and its people are addressed. */
const unbooked = new Set(['status', 'id', 'external_id', 'organization', 'receiver', 'receiver_email'])

/** A hash of what a file says of an expense for the books: another one means that the file is no longer right. */
export function fingerprintOf(row: ExportRow): string {
  const stated = Object.entries(toExported(row)).filter(([name, value]) => value !== null && !unbooked.has(name))
  const text = JSON.stringify([row.expense.receiver_id, ...stated])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
