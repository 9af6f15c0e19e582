import type { Row } from '#db/schema'
import type { Role } from '#shared/domain/roles'
import { statement } from './statement'
import type { Reader } from './store'

const findRow = statement<{ organization_id: number; user_id: number }, Row<'memberships'>>((db, p) =>
  db
    .selectFrom('memberships')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('user_id', '=', p('user_id'))
    .where('deleted_at', 'is', null),
)
const listRows = statement<{ user_id: number }, Row<'memberships'>>((db, p) =>
  db.selectFrom('memberships').selectAll().where('user_id', '=', p('user_id')).where('deleted_at', 'is', null).orderBy('id'),
)

/** The membership of a user in an organization. */
export function findMembership(reader: Reader, key: { organization_id: number; user_id: number }) {
  return reader.first(findRow, key)
}

/** The role of a user in an organization; undefined for one who is no member. */
export async function findRole(reader: Reader, key: { organization_id: number; user_id: number }): Promise<Role | undefined> {
  return (await findMembership(reader, key))?.role
}

/** All memberships of a user. */
export function listMembershipsOf(reader: Reader, user_id: number): Promise<Row<'memberships'>[]> {
  return reader.all(listRows, { user_id })
}
