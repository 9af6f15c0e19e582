import type { Row } from '#db/schema'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = statement<{ key: string }, Row<'uploads'>>((db, p) => db.selectFrom('uploads').selectAll().where('key', '=', p('key')))

const listUploaders = listStatement<string, Pick<Row<'uploads'>, 'sha256' | 'user_id'>>((db, hashes) =>
  db.selectFrom('uploads').select(['sha256', 'user_id']).where('sha256', 'in', hashes),
)

/** Which of these files a user has uploaded. */
export async function listOwnUploads(
  reader: Reader,
  { user_id, hashes }: { user_id: number; hashes: readonly string[] },
): Promise<string[]> {
  const uploaders = await reader.allOf(listUploaders, hashes)
  return uploaders.filter((upload) => upload.user_id === user_id).map(({ sha256 }) => sha256)
}

/** A finished upload by its key, an expired one too: `expires_at` says so. */
export function findUpload(reader: Reader, key: string) {
  return reader.first(findRow, { key })
}
