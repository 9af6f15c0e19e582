import type { Row } from '#db/schema'
import { sql } from 'kysely'
import { type Statement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** A file of an expense as captured. */
export interface Original extends Pick<Row<'attachments'>, 'file_name' | 'content_type' | 'bytes' | 'sha256' | 'deleted_at'> {
  readonly attachment_id: number
  readonly prepared_sha256: string
  readonly captured_at: string | null
  readonly received_at: string
  readonly replaced_at: string | null
}

const listRows: Statement<{ expense_id: number }, Original> = statement((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('attachments')
        .select(['id as attachment_id', 'expense_id', 'sha256', 'file_name', 'uploaded_at', 'deleted_at'])
        .select(sql<string | null>`null`.as('replaced_at'))
        .where('expense_id', '=', p('expense_id'))
        .unionAll(
          db
            .selectFrom('replaced_files')
            .select(['attachment_id', 'expense_id', 'sha256', 'file_name', 'uploaded_at'])
            .select([sql<string | null>`null`.as('deleted_at'), sql<string | null>`replaced_at`.as('replaced_at')])
            .where('expense_id', '=', p('expense_id')),
        )
        .as('files'),
    )
    .leftJoin('captures', (join) =>
      join.onRef('captures.sha256', '=', 'files.sha256').onRef('captures.expense_id', '=', 'files.expense_id'),
    )
    .innerJoin('blobs', (join) => join.on('blobs.sha256', '=', sql<string>`coalesce(captures.original_sha256, files.sha256)`))
    .select(['files.attachment_id', 'files.sha256 as prepared_sha256', 'files.deleted_at', 'files.replaced_at'])
    .select(['files.file_name', 'captures.captured_at', 'blobs.sha256', 'blobs.content_type', 'blobs.bytes'])
    .select(sql<string>`coalesce(captures.created_at, files.uploaded_at)`.as('received_at'))
    .orderBy('files.attachment_id')
    // The current file is last.
    .orderBy(sql`replaced_at is null`)
    .orderBy('files.replaced_at')
    .orderBy('captures.id'),
)

/** An expense's files as captured, including those of deleted receipts and replaced files, without those past their retention. */
export async function listOriginals(reader: Reader, expense_id: number): Promise<Original[]> {
  const rows = await reader.all(listRows, { expense_id })
  // If the same file was captured several times, the first counts.
  const first = new Map<string, Original>()
  for (const row of rows) {
    const key = JSON.stringify([row.attachment_id, row.replaced_at, row.prepared_sha256])
    if (!first.has(key)) first.set(key, row)
  }
  return [...first.values()]
}
