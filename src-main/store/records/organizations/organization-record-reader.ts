import { type SqlBool, sql } from 'kysely'
import { type OrganizationRecordTable, records } from '#shared/records/index'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { type Statement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { type OrganizationRow, toOrganizationRow } from './organization-row'

/** Where a record of an organization is. */
export interface OrganizationRecordKey {
  readonly organization_id: number
  readonly id: number
}

/** The tables of the records of organizations that are defined by attribute. */
export const organizationRecordTables: readonly OrganizationRecordTable[] = records.flatMap(
  // The types know these tables by the same two facts.
  ({ table, attributes, isInOrganization }) => (attributes && isInOrganization ? [table as OrganizationRecordTable] : []),
)

const finders = new Map<string, Statement<OrganizationRecordKey, unknown>>(
  organizationRecordTables.map((table) => [
    table,
    statement((db, p) =>
      db
        .selectFrom(table)
        .selectAll()
        .where('id', '=', p('id'))
        .where('organization_id', '=', p('organization_id'))
        .where('deleted_at', 'is', null),
    ),
  ]),
)

/** A record of an organization by id. */
export async function findOrganizationRecord<T extends OrganizationRecordTable>(
  reader: Reader,
  table: T,
  key: OrganizationRecordKey,
): Promise<OrganizationRow<T> | undefined> {
  const finder = finders.get(table)
  if (!finder) throw new Error(`${table} is no table of records of organizations.`)
  // The statement reads all columns of this table.
  return (await reader.first(finder, key)) as OrganizationRow<T> | undefined
}

/** A page of an organization's records. */
export async function listOrganizationRecords<T extends OrganizationRecordTable>(
  reader: Reader,
  table: T,
  { organization_id, user_id, ...query }: { organization_id: number; user_id: number } & ListQuery,
): Promise<Page<OrganizationRow<T>>> {
  const where = () => [sql<SqlBool>`${sql.ref(`${table}.organization_id`)} = ${organization_id}`]
  const { rows, count } = await readPage(reader, table, { user_id, within: organization_id, query, where })
  return { rows: rows.map((row) => toOrganizationRow<T>(row)), count }
}
