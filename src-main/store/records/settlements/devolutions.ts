import type { Row } from '#db/schema'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { type NewRecord, insertRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { assertOpenForDate } from '../organizations/closed-months'
import { visibleTo } from '../visible-records'

const findRow = statement<{ id: number }, Row<'advancement_devolutions'>>((db, p) =>
  db.selectFrom('advancement_devolutions').selectAll().where('id', '=', p('id')),
)

/** A devolution by id, including a deleted one (see `deleted_at`). */
export function findDevolution(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}

/** A page of the devolutions that a user may see. */
export async function listDevolutions(reader: Reader, user_id: number, query: ListQuery): Promise<Page<Row<'advancement_devolutions'>>> {
  const records = { table: 'advancement_devolutions', followed: undefined } as const
  const where = () => visibleTo(reader, records, { user_id, filter: query.filter })
  return readPage(reader, 'advancement_devolutions', { user_id, query, where })
}

/** Stores a devolution. */
export async function insertDevolution(tx: Tx, values: NewRecord<'advancement_devolutions'>): Promise<Row<'advancement_devolutions'>> {
  await assertOpenForDate(tx, values)
  const scope = { organization_id: values.payer_id, user_id: values.receiver_id }
  return insertRecord(tx, 'advancement_devolutions', { values, scope })
}
