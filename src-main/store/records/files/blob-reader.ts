import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { listStatement, statement } from '../../core/statement'
import type { Audience } from '../../sync/audience'
import { findSharedRecord } from '../../sync/shared-records'
import type { Reader } from '../../core/store'

const findRow = statement<{ sha256: string }, Row<'blobs'>>((db, p) =>
  db.selectFrom('blobs').selectAll().where('sha256', '=', p('sha256')),
)
const listRows = listStatement<string, Row<'blobs'>>(
  (db, hashes) => db.selectFrom('blobs').selectAll().where('sha256', 'in', hashes),
  {
    keptBy: 'sha256',
  },
)

/** What is known of a stored file. */
export function findBlob(reader: Reader, sha256: string) {
  return reader.first(findRow, { sha256 })
}

/** What is known of stored files, by their hashes. */
export function listBlobs(reader: Reader, hashes: readonly string[]): Promise<Row<'blobs'>[]> {
  return reader.allOf(listRows, hashes)
}

/** Whether a file belongs to something that an audience may see. */
export async function mayReadBlob(
  { db }: Reader,
  { sha256, audience }: { sha256: string; audience: Audience },
): Promise<boolean> {
  for (const [table, column] of [
    ['attachments', 'sha256'],
    ['users', 'avatar_sha256'],
    ['organizations', 'logo_sha256'],
  ] as const) {
    const record = findSharedRecord(table)
    if (!record) continue
    const found = await sql`select id from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = ${sha256}
      and ${sql.ref(`${table}.deleted_at`)} is null and ${record.visible(audience)} limit 1`.execute(db)
    if (found.rows.length > 0) return true
  }
  return false
}
