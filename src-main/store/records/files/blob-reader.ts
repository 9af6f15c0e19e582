import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { listStatement, statement } from '../../core/statement'
import type { Audience } from '../../sync/audience'
import { findSharedRecord } from '../../sync/shared-records'
import type { Reader } from '../../core/store'

const findRow = statement<{ sha256: string }, Row<'blobs'>>((db, p) => db.selectFrom('blobs').selectAll().where('sha256', '=', p('sha256')))
const listRows = listStatement<string, Row<'blobs'>>((db, hashes) => db.selectFrom('blobs').selectAll().where('sha256', 'in', hashes), {
  keptBy: 'sha256',
})

/** The metadata of a stored file. */
export function findBlob(reader: Reader, sha256: string) {
  return reader.first(findRow, { sha256 })
}

/** The metadata of stored files, by their hashes. */
export function listBlobs(reader: Reader, hashes: readonly string[]): Promise<Row<'blobs'>[]> {
  return reader.allOf(listRows, hashes)
}

/** The columns of records that hold hashes of files. */
const places = [
  ['attachments', 'sha256'],
  ['users', 'avatar_sha256'],
  ['organizations', 'logo_sha256'],
] as const

/** The files, among these hashes, that belong to something that an audience may see. */
export async function listReadableBlobs(
  { db }: Reader,
  { hashes, audience }: { hashes: readonly string[]; audience: Audience },
): Promise<string[]> {
  const found: string[] = []
  for (const [table, column] of places) {
    const record = findSharedRecord(table)
    if (!record) continue
    const place = sql.ref<string>(`${table}.${column}`)
    const { rows } = await sql<{ sha256: string }>`select distinct ${place} as sha256 from ${sql.table(table)}
      where ${place} in (${sql.join(hashes)}) and ${sql.ref(`${table}.deleted_at`)} is null and ${record.visible(audience)}`.execute(db)
    found.push(...rows.map(({ sha256 }) => sha256))
  }
  return found
}
