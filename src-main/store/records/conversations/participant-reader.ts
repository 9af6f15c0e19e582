import type { Row } from '#db/schema'
import { type FollowableRef, perFollowable } from './followable-columns'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = perFollowable((column) =>
  statement<{ followable_id: number; user_id: number }, Row<'participants'>>((db, p) =>
    db
      .selectFrom('participants')
      .selectAll()
      .where(column, '=', p('followable_id'))
      .where('user_id', '=', p('user_id'))
      .where('deleted_at', 'is', null),
  ),
)
const listRows = perFollowable((column) =>
  statement<{ followable_id: number }, Row<'participants'>>((db, p) =>
    db.selectFrom('participants').selectAll().where(column, '=', p('followable_id')).where('deleted_at', 'is', null).orderBy('id'),
  ),
)

/** A user's participation in an expense, advancement or reimbursement (contract 4.12). */
export function findParticipant(reader: Reader, { kind, id }: Pick<FollowableRef, 'kind' | 'id'>, user_id: number) {
  return reader.first(findRow[kind], { followable_id: id, user_id })
}

/** The participants of a record, in the order in which they joined. */
export function listParticipants(reader: Reader, { kind, id }: Pick<FollowableRef, 'kind' | 'id'>): Promise<Row<'participants'>[]> {
  return reader.all(listRows[kind], { followable_id: id })
}
