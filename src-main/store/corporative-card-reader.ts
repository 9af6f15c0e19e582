import type { Row } from '#db/schema'
import { statement } from './statement'
import type { Reader } from './store'

const findRow = statement<{ id: number }, Row<'corporative_cards'>>((db, p) =>
  db.selectFrom('corporative_cards').selectAll().where('id', '=', p('id')).where('deleted_at', 'is', null),
)

/** A corporative card by id. */
export function findCorporativeCard(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}
