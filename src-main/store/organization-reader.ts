import type { Row } from '#db/schema'
import { statement } from './statement'
import type { Reader } from './store'

const findRow = statement<{ id: number }, Row<'organizations'>>((db, p) =>
  db.selectFrom('organizations').selectAll().where('id', '=', p('id')).where('deleted_at', 'is', null),
)

/** An organization by id. */
export function findOrganization(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}

/** Organizations by id, deleted ones too: history keeps its names. */
export function listOrganizationsByIds(reader: Reader, ids: readonly number[]): Promise<Row<'organizations'>[]> {
  return ids.length === 0 ? Promise.resolve([]) : reader.db.selectFrom('organizations').selectAll().where('id', 'in', [...ids]).execute()
}
