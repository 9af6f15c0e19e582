import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type Page, type PageWindow, isAfter } from '../../core/list-query'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

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
