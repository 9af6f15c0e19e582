import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

/** A membership that someone else gave a user, until the user has acknowledged it. */
export type JoinNotice = Row<'join_notices'> & Pick<Row<'memberships'>, 'organization_id' | 'role'>

const insertRow = statement<Row<'join_notices'>, unknown>((db, p) =>
  db
    .insertInto('join_notices')
    .values({
      membership_id: p('membership_id'),
      user_id: p('user_id'),
      added_by_user_id: p('added_by_user_id'),
      created_at: p('created_at'),
    }),
)
const listRows = statement<{ user_id: number }, JoinNotice>((db, p) =>
  db
    .selectFrom('join_notices')
    .innerJoin('memberships', 'memberships.id', 'join_notices.membership_id')
    .selectAll('join_notices')
    .select(['memberships.organization_id', 'memberships.role'])
    .where('join_notices.user_id', '=', p('user_id'))
    .where('memberships.deleted_at', 'is', null)
    .orderBy('join_notices.membership_id'),
)
const deleteRow = statement<{ membership_id: number }, unknown>((db, p) =>
  db.deleteFrom('join_notices').where('membership_id', '=', p('membership_id')),
)

/** Stores that the acting user gave someone this membership. */
export async function insertJoinNotice(tx: Tx, { id: membership_id, user_id }: Row<'memberships'>): Promise<void> {
  await tx.run(insertRow, { membership_id, user_id, added_by_user_id: tx.actor.user_id, created_at: tx.now })
}

/** A user's notices for organizations that they still belong to, oldest first. */
export function listJoinNotices(reader: Reader, user_id: number): Promise<JoinNotice[]> {
  return reader.all(listRows, { user_id })
}

/** A user's notice by the membership's id. */
export async function findJoinNotice(reader: Reader, key: { id: number; user_id: number }): Promise<JoinNotice | undefined> {
  return (await listJoinNotices(reader, key.user_id)).find(({ membership_id }) => membership_id === key.id)
}

/** Deletes a read notice. */
export async function deleteJoinNotice(tx: Tx, membership_id: number): Promise<void> {
  await tx.run(deleteRow, { membership_id })
}
