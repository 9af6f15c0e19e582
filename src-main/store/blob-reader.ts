import type { Row } from '#db/schema'
import { listStatement, statement } from './statement'
import type { Reader } from './store'

const findRow = statement<{ sha256: string }, Row<'blobs'>>((db, p) =>
  db.selectFrom('blobs').selectAll().where('sha256', '=', p('sha256')),
)
const listRows = listStatement<string, Row<'blobs'>>((db, hashes) =>
  db.selectFrom('blobs').selectAll().where('sha256', 'in', hashes),
)

/** What is known of a stored file. */
export function findBlob(reader: Reader, sha256: string) {
  return reader.first(findRow, { sha256 })
}

/** What is known of stored files, by their hashes. */
export function listBlobs(reader: Reader, hashes: readonly string[]): Promise<Row<'blobs'>[]> {
  return reader.allOf(listRows, hashes)
}
