import type { Row } from '#db/schema'
import { deleteRecord, insertRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { type FollowableRef, followableColumns, perFollowable } from './followable-columns'

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

/** Makes a user a participant, unless they are one already (contract 4.12). */
export async function addParticipant(tx: Tx, followable: FollowableRef, user_id: number): Promise<void> {
  if (!(await findParticipant(tx, followable, user_id))) await insertParticipant(tx, followable, user_id)
}

/** Makes a user who is none a participant. */
export async function insertParticipant(tx: Tx, followable: FollowableRef, user_id: number): Promise<void> {
  await insertRecord(tx, 'participants', {
    values: { user_id, ...followableColumns(followable) },
    scope: { organization_id: followable.organization_id, user_id },
  })
}

/** Removes a user from the participants. */
export async function removeParticipant(tx: Tx, followable: FollowableRef, row: Row<'participants'>): Promise<void> {
  await deleteRecord(tx, 'participants', { row, scope: { organization_id: followable.organization_id, user_id: row.user_id } })
}
