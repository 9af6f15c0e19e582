import type { Row } from '#db/schema'
import { type ListQuery, type Page, readPage } from './list-query'
import type { Reader } from './store'
import { visibleTo } from './visible-records'

/** A page of the devolutions that a user may see. */
export async function listDevolutions(
  reader: Reader,
  user_id: number,
  query: ListQuery,
): Promise<Page<Row<'advancement_devolutions'>>> {
  const records = { table: 'advancement_devolutions', followed: undefined } as const
  const where = await visibleTo(reader, records, { user_id, filter: query.filter })
  return readPage(reader, 'advancement_devolutions', { where, query })
}
