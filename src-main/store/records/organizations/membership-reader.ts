import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type Action, type Relation, may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = statement<{ organization_id: number; user_id: number }, Row<'memberships'>>(
  (db, p) =>
    db
      .selectFrom('memberships')
      .selectAll()
      .where('organization_id', '=', p('organization_id'))
      .where('user_id', '=', p('user_id'))
      .where('deleted_at', 'is', null),
  { isKept: true },
)
const listRows = statement<{ user_id: number }, Row<'memberships'>>(
  (db, p) => db.selectFrom('memberships').selectAll().where('user_id', '=', p('user_id')).where('deleted_at', 'is', null).orderBy('id'),
  { isKept: true },
)
const countAdminRows = statement<{ organization_id: number }, { count: number }>((db, p) =>
  db
    .selectFrom('memberships')
    .select(sql<number>`count(*)`.as('count'))
    .where('organization_id', '=', p('organization_id'))
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null),
)
const listOfOrganization = statement<{ organization_id: number }, Row<'memberships'>>(
  (db, p) =>
    db
      .selectFrom('memberships')
      .selectAll()
      .where('organization_id', '=', p('organization_id'))
      .where('deleted_at', 'is', null)
      .orderBy('id'),
  { isKept: true },
)

/** The membership of a user in an organization. */
export function findMembership(reader: Reader, key: { organization_id: number; user_id: number }) {
  return reader.first(findRow, key)
}

/** The role of a user in an organization; undefined if they are not a member. */
export async function findRole(reader: Reader, key: { organization_id: number; user_id: number }): Promise<Role | undefined> {
  return (await findMembership(reader, key))?.role
}

/** All memberships of a user. */
export function listMembershipsOf(reader: Reader, user_id: number): Promise<Row<'memberships'>[]> {
  return reader.all(listRows, { user_id })
}

/** The organizations where a user's role alone permits an action. */
export function listOrganizationIdsWhere(reader: Reader, user_id: number, action: Action): Promise<number[]> {
  return listOrganizationIdsOf(reader, user_id, { action })
}

/** The organizations where a user may do this with a record to which they have this relation. */
export async function listOrganizationIdsOf(
  reader: Reader,
  user_id: number,
  { action, ...relation }: { action: Action } & Omit<Relation, 'role'>,
): Promise<number[]> {
  const memberships = await listMembershipsOf(reader, user_id)
  return memberships.filter(({ role }) => may(action, { ...relation, role })).map(({ organization_id }) => organization_id)
}

/** All memberships in an organization. */
export function listMembershipsIn(reader: Reader, organization_id: number): Promise<Row<'memberships'>[]> {
  return reader.all(listOfOrganization, { organization_id })
}

/** How many admins an organization has. */
export async function countAdmins(reader: Reader, organization_id: number): Promise<number> {
  return (await reader.first(countAdminRows, { organization_id }))?.count ?? 0
}

/** A page of the memberships in an organization. */
export function listMembers(
  reader: Reader,
  { organization_id, user_id }: { organization_id: number; user_id: number },
  query: ListQuery,
): Promise<Page<Row<'memberships'>>> {
  const where = () => [sql<SqlBool>`memberships.organization_id = ${organization_id}`]
  return readPage(reader, 'memberships', { user_id, within: organization_id, query, where })
}
