import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = statement<{ id: number }, Row<'export_profiles'>>((db, p) =>
  db.selectFrom('export_profiles').selectAll().where('id', '=', p('id')).where('deleted_at', 'is', null),
)

/** An export profile by id, of any organization. */
export function findExportProfile(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}
