import type { Row } from '#db/schema'
import type { Reader } from './store'

/** An attachment with what is known of its file. */
export type AttachmentWithBlob = Row<'attachments'> & { width: number | null; height: number | null }

/** The attachments of expenses, in the order in which they were added. */
export function listAttachmentsOf(reader: Reader, expense_ids: readonly number[]): Promise<AttachmentWithBlob[]> {
  if (expense_ids.length === 0) return Promise.resolve([])
  return reader.db
    .selectFrom('attachments')
    .innerJoin('blobs', 'blobs.sha256', 'attachments.sha256')
    .selectAll('attachments')
    .select(['blobs.width', 'blobs.height'])
    .where('attachments.expense_id', 'in', [...expense_ids])
    .where('attachments.deleted_at', 'is', null)
    .orderBy('attachments.id')
    .execute()
}
