import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type Page, type PageWindow, isAfter } from '../../core/list-query'
import { type Changes, type NewRecord, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { findLastActivityId } from '../conversations/activity-reader'
import { judgeRepeats, listRepeatsOf, touchExpense } from '../expenses/expense-writer'

/** An attachment with the metadata of its file. */
export type AttachmentWithBlob = Row<'attachments'> & { width: number | null; height: number | null }

const findRow = statement<{ id: number; expense_id: number }, AttachmentWithBlob>((db, p) =>
  db
    .selectFrom('attachments')
    .innerJoin('blobs', 'blobs.sha256', 'attachments.sha256')
    .selectAll('attachments')
    .select(['blobs.width', 'blobs.height'])
    .where('attachments.id', '=', p('id'))
    .where('attachments.expense_id', '=', p('expense_id'))
    .where('attachments.deleted_at', 'is', null),
)

/** An attachment of an expense; undefined if deleted. */
export function findAttachment(reader: Reader, key: { id: number; expense_id: number }) {
  return reader.first(findRow, key)
}

/** The attachments of expenses, in the order in which they were added. */
export function listAttachmentsOf(reader: Reader, expense_ids: readonly number[]): Promise<AttachmentWithBlob[]> {
  return expense_ids.length === 0 ? Promise.resolve([]) : selectOf(reader, expense_ids).orderBy('attachments.id').execute()
}

/** One page of an expense's attachments, newest first; `count` is the total. */
export async function pageAttachmentsOf(
  reader: Reader,
  { id, attachments_count }: Pick<Row<'expenses'>, 'id' | 'attachments_count'>,
  { limit, offset, after }: PageWindow,
): Promise<Page<AttachmentWithBlob>> {
  const newest = selectOf(reader, [id])
    .where(sql.join<SqlBool>([sql<SqlBool>`1 = 1`, ...isAfter('attachments', [], after)], sql` and `))
    .orderBy('attachments.created_at', 'desc')
    .orderBy('attachments.id', 'desc')
  return { rows: await newest.limit(limit).offset(offset).execute(), count: attachments_count }
}

function selectOf(reader: Reader, expense_ids: readonly number[]) {
  return reader.db
    .selectFrom('attachments')
    .innerJoin('blobs', 'blobs.sha256', 'attachments.sha256')
    .selectAll('attachments')
    .select(['blobs.width', 'blobs.height'])
    .where('attachments.expense_id', 'in', [...expense_ids])
    .where('attachments.deleted_at', 'is', null)
}

type Attachment = Row<'attachments'>
type Expense = Row<'expenses'>

function scopeOf({ payer_id, receiver_id }: Expense) {
  return { organization_id: payer_id, user_id: receiver_id }
}

/** Stores a new attachment; raises its expense's version and count. */
export async function insertAttachment(
  tx: Tx,
  expense: Expense,
  values: Omit<NewRecord<'attachments'>, 'expense_id'>,
): Promise<Attachment> {
  const row = await insertRecord(tx, 'attachments', { values: { ...values, expense_id: expense.id }, scope: scopeOf(expense) })
  await touchExpense(tx, expense, 'receipts')
  return row
}

/** Changes an attachment and raises its expense's version; writes nothing if nothing differs. Returns both. */
export async function updateAttachment(
  tx: Tx,
  expense: Expense,
  { row, changes }: { row: Attachment; changes: Changes<'attachments'> },
): Promise<{ stored: Attachment; expense: Expense }> {
  const stored = await updateRecord(tx, 'attachments', { row, changes, scope: scopeOf(expense) })
  if (stored.sha256 !== row.sha256) await keepReplaced(tx, row)
  return { stored, expense: stored.version === row.version ? expense : await touchExpense(tx, expense, 'receipts') }
}

/** Deletes an attachment; raises its expense's version, lowers its count and returns the expense. The file stays for others that name it. */
export async function deleteAttachment(tx: Tx, expense: Expense, row: Attachment): Promise<Expense> {
  const repeats = await listRepeatsOf(tx, expense)
  await deleteRecord(tx, 'attachments', { row, scope: scopeOf(expense) })
  const touched = await touchExpense(tx, expense, 'receipts')
  await judgeRepeats(tx, repeats)
  return touched
}

/** Keeps a replaced file as an original, for as long as originals are kept. */
async function keepReplaced(tx: Tx, { id, expense_id, sha256, file_name, uploaded_at }: Attachment): Promise<void> {
  const columns = 'expense_id, attachment_id, sha256, file_name, uploaded_at, replaced_at, trail_end'
  const values = [expense_id, id, sha256, file_name, uploaded_at, tx.now, await findLastActivityId(tx)]
  await tx.write(`INSERT INTO replaced_files (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`, values)
}
