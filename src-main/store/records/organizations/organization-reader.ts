import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = statement<{ id: number }, Row<'organizations'>>(
  (db, p) => db.selectFrom('organizations').selectAll().where('id', '=', p('id')).where('deleted_at', 'is', null),
  { isKept: true },
)
const listAny = listStatement<number, Row<'organizations'>>(
  (db, ids) => db.selectFrom('organizations').selectAll().where('id', 'in', ids),
  { keptBy: 'id' },
)

/** An organization by id. */
export function findOrganization(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}

/** Organizations by id, including deleted ones: history shows their names. */
export function listOrganizationsByIds(reader: Reader, ids: readonly number[]): Promise<Row<'organizations'>[]> {
  return reader.allOf(listAny, ids)
}

/** A page of the organizations that a user is a member of. */
export function listOrganizationsOf(reader: Reader, user_id: number, query: ListQuery): Promise<Page<Row<'organizations'>>> {
  const joined = sql<SqlBool>`organizations.id in (select organization_id from memberships where user_id = ${user_id} and deleted_at is null)`
  return readPage(reader, 'organizations', { user_id, query, where: () => [joined] })
}

/** The number of members by organization id. */
export async function countMembers(reader: Reader, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.db
    .selectFrom('memberships')
    .select(['organization_id', sql<number>`count(*)`.as('count')])
    .where('organization_id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .groupBy('organization_id')
    .execute()
  return new Map(rows.map(({ organization_id, count }) => [organization_id, count]))
}
