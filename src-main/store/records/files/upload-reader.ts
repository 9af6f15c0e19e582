import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = statement<{ key: string }, Row<'uploads'>>((db, p) => db.selectFrom('uploads').selectAll().where('key', '=', p('key')))

/** A finished upload by its key, an expired one too: `expires_at` says so. */
export function findUpload(reader: Reader, key: string) {
  return reader.first(findRow, { key })
}
