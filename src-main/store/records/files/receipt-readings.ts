import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type ReadReceipt, saidBy } from '#shared/readings/other-total'
import { readingsSchema } from '#shared/readings/stored'
import { listStatement, statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

/** A receipt's stored reading. */
export type StoredReading = Row<'receipt_readings'>

const listOfFiles = listStatement<string, StoredReading>((db, hashes) =>
  db.selectFrom('receipt_readings').selectAll().where('sha256', 'in', hashes),
)
const note = statement<StoredReading, unknown>((db, p) =>
  db
    .updateTable('receipt_readings')
    .set({ state: p('state'), engine: p('engine'), tries: p('tries'), fields: p('fields') })
    .set({ said: p('said'), seller: p('seller') })
    .where('sha256', '=', p('sha256')),
)
const listOwners = statement<{ sha256: string }, { user_id: number }>((db, p) =>
  db
    .selectFrom('captures')
    .select('user_id')
    .where('sha256', '=', p('sha256'))
    .union(db.selectFrom('uploads').select('user_id').where('sha256', '=', p('sha256'))),
)
const listOfExpense = listStatement<number, StoredReading>((db, ids) =>
  db
    .selectFrom('attachments')
    .innerJoin('receipt_readings', 'receipt_readings.sha256', 'attachments.sha256')
    .selectAll('receipt_readings')
    .distinct()
    .where('attachments.expense_id', 'in', ids)
    .where('attachments.deleted_at', 'is', null),
)

/** The readings of receipts by their files' hashes. */
export function listReadings(reader: Reader, hashes: readonly string[]): Promise<StoredReading[]> {
  return reader.allOf(listOfFiles, hashes)
}

/** The readings of an expense's receipts. */
export function listReadingsOf(reader: Reader, expense_id: number): Promise<StoredReading[]> {
  return reader.allOf(listOfExpense, [expense_id])
}

/** The position of a round through the waiting receipts. */
export interface ReadingPlace {
  readonly upload: number
  readonly sha256: string
}

/**
 * The next receipt to read, and the position after it. First uploads in order, as a form may be waiting; then, by hash, processed captures and,
 * unless `isReplica`, receipts of expenses, which the remote reads.
 */
export async function nextWaitingReceipt({ db }: Reader, { after, isReplica }: { after: ReadingPlace; isReplica: boolean }) {
  const same = sql<SqlBool>`sha256 = receipt_readings.sha256`
  const waiting = db
    .selectFrom('receipt_readings')
    .innerJoin('blobs', 'blobs.sha256', 'receipt_readings.sha256')
    .select(['receipt_readings.sha256', 'receipt_readings.tries', 'blobs.content_type'])
    .where('receipt_readings.state', '=', sql.lit('waiting'))
    .limit(1)
  const upload = await waiting
    .innerJoin('uploads', 'uploads.sha256', 'receipt_readings.sha256')
    .select('uploads.id as upload')
    .where('uploads.id', '>', after.upload)
    .orderBy('uploads.id')
    .executeTakeFirst()
  if (upload) return { ...upload, after: { ...after, upload: upload.upload } }
  const captures = db.selectFrom('captures').select('id').where('state', '=', sql.lit('ready')).where(same)
  const attachments = db.selectFrom('attachments').select('id').where(same)
  const other = await waiting
    .where('receipt_readings.sha256', '>', after.sha256)
    .where((is) => is.or([captures, ...(isReplica ? [] : [attachments])].map((rows) => is.exists(rows))))
    .orderBy('receipt_readings.sha256')
    .executeTakeFirst()
  return other && { ...other, after: { ...after, sha256: other.sha256 } }
}

/** Receipts that are only on expenses, which are not read here: a replica asks its remote for their readings, at most `mostTries` times each. */
export function listReadingsToFetch({ db }: Reader, { mostTries, limit }: { mostTries: number; limit: number }) {
  const same = sql<SqlBool>`sha256 = receipt_readings.sha256`
  const own = [db.selectFrom('captures').select('id').where(same), db.selectFrom('uploads').select('id').where(same)]
  return db
    .selectFrom('receipt_readings')
    .select(['sha256', 'tries'])
    .where('state', '=', sql.lit('waiting'))
    .where('tries', '<', mostTries)
    .where((is) => is.exists(db.selectFrom('attachments').select('id').where(same)))
    .where((is) => is.not(is.or(own.map((rows) => is.exists(rows)))))
    .orderBy('tries')
    .limit(limit)
    .execute()
}

/** Stores the result of reading a receipt, and notifies those who wait for it. */
export async function noteReceipt(tx: Tx, reading: Omit<StoredReading, 'said' | 'seller'>): Promise<void> {
  await tx.run(note, { ...reading, ...saidBy(toReadReceipt(reading).fields) })
  for (const { user_id } of await tx.all(listOwners, { sha256: reading.sha256 })) tx.signal({ topic: 'captures', user_id })
}

/** A stored reading with its fields; undefined while it waits, or if nothing could be read. */
export function toReadReceipt({ sha256, state, fields }: Pick<StoredReading, 'sha256' | 'state' | 'fields'>): ReadReceipt {
  return { sha256, state, fields: fields === null ? [] : readingsSchema.parse(JSON.parse(fields)) }
}
