import type { Row } from '#db/schema'
import { sql } from 'kysely'
import { type Statement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** A file of an expense as it was captured. */
export interface Original extends Pick<Row<'attachments'>, 'file_name' | 'content_type' | 'bytes' | 'sha256' | 'deleted_at'> {
  readonly attachment_id: number
  readonly prepared_sha256: string
  readonly captured_at: string | null
  readonly received_at: string
}

const listRows: Statement<{ expense_id: number }, Original> = statement((db, p) =>
  db
    .selectFrom('attachments')
    .leftJoin('captures', (join) =>
      join.onRef('captures.sha256', '=', 'attachments.sha256').onRef('captures.expense_id', '=', 'attachments.expense_id'),
    )
    .innerJoin('blobs', (join) =>
      join.on('blobs.sha256', '=', sql<string>`coalesce(captures.original_sha256, attachments.sha256)`),
    )
    .select(['attachments.id as attachment_id', 'attachments.sha256 as prepared_sha256', 'attachments.deleted_at'])
    .select(['attachments.file_name', 'captures.captured_at', 'blobs.sha256', 'blobs.content_type', 'blobs.bytes'])
    .select(sql<string>`coalesce(captures.created_at, attachments.uploaded_at)`.as('received_at'))
    .where('attachments.expense_id', '=', p('expense_id'))
    .groupBy('attachments.id')
    .orderBy('attachments.id'),
)

/** The files of an expense as they were captured, of deleted receipts too; not those that were kept long enough. */
export function listOriginals(reader: Reader, expense_id: number): Promise<Original[]> {
  return reader.all(listRows, { expense_id })
}
