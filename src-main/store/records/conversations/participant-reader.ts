import type { Row } from '#db/schema'
import { type ParentRef, perParent } from './parent-columns'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = perParent((column) =>
  statement<{ parent_id: number; user_id: number }, Row<'participants'>>((db, p) =>
    db
      .selectFrom('participants')
      .selectAll()
      .where(column, '=', p('parent_id'))
      .where('user_id', '=', p('user_id'))
      .where('deleted_at', 'is', null),
  ),
)
const listRows = perParent((column) =>
  statement<{ parent_id: number }, Row<'participants'>>((db, p) =>
    db.selectFrom('participants').selectAll().where(column, '=', p('parent_id')).where('deleted_at', 'is', null).orderBy('id'),
  ),
)

/** A user's participation in an expense, advancement or reimbursement (contract 4.12). */
export function findParticipant(reader: Reader, { kind, id }: Pick<ParentRef, 'kind' | 'id'>, user_id: number) {
  return reader.first(findRow[kind], { parent_id: id, user_id })
}

/** Those who take part, in the order in which they joined. */
export function listParticipants(reader: Reader, { kind, id }: Pick<ParentRef, 'kind' | 'id'>): Promise<Row<'participants'>[]> {
  return reader.all(listRows[kind], { parent_id: id })
}
