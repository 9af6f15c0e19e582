import { type SqlBool, sql } from 'kysely'
import { type OrganizationRecordTable, findRecord, records } from '#shared/records/index'
import { getAudience } from '../../sync/audience'
import { seesAny } from '../../sync/feed-reader'
import { sharedRecords } from '../../sync/shared-records'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { type Statement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { type OrganizationRow, toOrganizationRow } from './organization-row'

/** The organization and id of a record. */
export interface OrganizationRecordKey {
  readonly organization_id: number
  readonly id: number
}

/** The tables of organization records that are defined by attributes. */
export const organizationRecordTables: readonly OrganizationRecordTable[] = records.flatMap(
  // The types select these tables by the same two conditions.
  ({ table, attributes, isInOrganization }) => (attributes && isInOrganization ? [table as OrganizationRecordTable] : []),
)

/** The tables of which members see only some records. */
const personal = new Map(
  sharedRecords.flatMap((record) => {
    const isWhole = findRecord(record.table)?.visible.some((sight) => 'in' in sight)
    return isWhole ? [] : [[record.table, record] as const]
  }),
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

/** An organization's record by id, even if not every member sees it. */
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

/** Whether a member sees a record of their organization; of some tables they see only some records. */
export async function seesOrganizationRecord(
  reader: Reader,
  table: OrganizationRecordTable,
  { id, user_id }: { id: number; user_id: number },
): Promise<boolean> {
  const record = personal.get(table)
  return !record || seesAny(reader, record, { record_ids: [id], audience: await getAudience(reader, user_id) })
}

/** A page of an organization's records that a user sees. */
export async function listOrganizationRecords<T extends OrganizationRecordTable>(
  reader: Reader,
  table: T,
  { organization_id, user_id, ...query }: { organization_id: number; user_id: number } & ListQuery,
): Promise<Page<OrganizationRow<T>>> {
  const sight = personal.get(table)?.visible(await getAudience(reader, user_id))
  const where = () => [sql<SqlBool>`${sql.ref(`${table}.organization_id`)} = ${organization_id}`, ...(sight ? [sight] : [])]
  const { rows, count } = await readPage(reader, table, { user_id, within: organization_id, query, where })
  return { rows: rows.map((row) => toOrganizationRow<T>(row)), count }
}
