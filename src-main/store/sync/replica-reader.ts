import { listed } from '../core/dialect'
import { sql } from 'kysely'
import { findSharedRecord } from './shared-records'
import { statement } from '../core/statement'
import type { Reader } from '../core/store'

const listWanted = statement<Record<string, never>, { sha256: string; bytes: number }>((db) =>
  db
    .selectFrom('sync_blobs')
    .leftJoin('attachments', (join) => join.onRef('attachments.sha256', '=', 'sync_blobs.sha256').on('attachments.deleted_at', 'is', null))
    .leftJoin('expenses', 'expenses.id', 'attachments.expense_id')
    .select(['sync_blobs.sha256', 'sync_blobs.bytes'])
    .where('sync_blobs.direction', '=', 'down')
    .groupBy('sync_blobs.sha256')
    .orderBy(sql`max(coalesce(expenses.status in ('awaiting_analysis', 'analyzing', 'analyzed', 'noncompliant'), 0))`, 'desc')
    .orderBy(sql`max(expenses.created_at)`, 'desc'),
)

/** The number of a table's records that are not deleted. */
export async function countRows(reader: Reader, table: string): Promise<number> {
  if (!findSharedRecord(table) || table === 'user_emails') return 0
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)} where deleted_at is null`.execute(
    reader.db,
  )
  return rows[0]?.count ?? 0
}

/** Which of these records exist here and are not deleted. */
export async function listLive(reader: Reader, table: string, ids: readonly number[]): Promise<number[]> {
  if (!findSharedRecord(table) || table === 'user_emails' || ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
    where deleted_at is null and id in (${listed(JSON.stringify(ids))})`.execute(reader.db)
  return rows.map(({ id }) => id)
}

/** Files that are not here yet: those of expenses that wait for review first, newest first. */
export function listWantedFiles(reader: Reader): Promise<Array<{ sha256: string; bytes: number }>> {
  return reader.all(listWanted, {})
}
