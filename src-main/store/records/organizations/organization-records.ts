import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { storedEvent } from '#shared/domain/activity-events'
import type { Attributes } from '#shared/records/attributes'
import { type OrganizationRecordTable, type SharedSubject, findRecord, records } from '#shared/records/index'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { type Changes, type NewRecord, deleteRecord, insertRecord, touchRecord, updateRecord } from '../../core/record-writer'
import { type Statement, statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { getAudience } from '../../sync/audience'
import { seesAny } from '../../sync/feed-reader'
import { sharedRecords } from '../../sync/shared-records'
import { type ActivityDetail, writtenDetails } from '../conversations/activity-details'
import { recordActivity } from '../conversations/activity-writer'

/** The columns of every record of an organization. */
export interface PlacedColumns {
  readonly id: number
  readonly uid: string
  readonly version: number
  readonly organization_id: number
  readonly name: string
  readonly created_at: string
  readonly updated_at: string
}

/** A row of a record of an organization. */
export type OrganizationRow<T extends OrganizationRecordTable> = Row<T> & PlacedColumns & Readonly<Record<string, Cell>>
/** The columns of a new record. */
export type NewOrganizationRow<T extends OrganizationRecordTable> = NewRecord<T> & Pick<PlacedColumns, 'organization_id'>
type Cell = string | number | null

/** Types a row by the columns that all organization records have: the compiler cannot see it through a generic table name. */
export function toOrganizationRow<T extends OrganizationRecordTable>(row: Row<T>): OrganizationRow<T> {
  return row as OrganizationRow<T>
}

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

/** The part of a definition that a writer needs. */
export interface WrittenDefinition<T extends OrganizationRecordTable> {
  readonly table: T
  readonly subject: SharedSubject
  readonly attributes: Attributes
}

/** A definition, and a record's details for the trail that are not columns. */
type Told<T extends OrganizationRecordTable> = WrittenDefinition<T> & { readonly details?: readonly ActivityDetail[] }

/** Stores a new organization record and records it in the audit trail. */
export async function insertOrganizationRecord<T extends OrganizationRecordTable>(
  tx: Tx,
  definition: Told<T>,
  values: NewOrganizationRow<T>,
): Promise<OrganizationRow<T>> {
  const { organization_id } = values
  const row = toOrganizationRow<T>(await insertRecord(tx, definition.table, { values, scope: { organization_id } }))
  await recordStored(tx, definition, { row, what: 'created', details: allDetails(definition, {}, row) })
  return row
}

/** Changes a record; writes nothing if nothing differs. `details`: other changes that belong to it. */
export async function updateOrganizationRecord<T extends OrganizationRecordTable>(
  tx: Tx,
  definition: WrittenDefinition<T>,
  { row, changes, details = [] }: { row: OrganizationRow<T>; changes: Changes<T>; details?: readonly ActivityDetail[] },
): Promise<OrganizationRow<T>> {
  const { table, attributes } = definition
  const scope = { organization_id: row.organization_id }
  const updated = toOrganizationRow<T>(await updateRecord(tx, table, { row, changes, scope }))
  const isTouched = details.length > 0 && updated.version === row.version
  const stored = isTouched ? toOrganizationRow<T>(await touchRecord(tx, table, { row, scope })) : updated
  const all = [...writtenDetails(attributes, row, stored), ...details]
  if (all.length > 0) await recordStored(tx, definition, { row, what: 'updated', details: all })
  return stored
}

/** Deletes a record. */
export async function deleteOrganizationRecord<T extends OrganizationRecordTable>(
  tx: Tx,
  definition: Told<T>,
  row: OrganizationRow<T>,
): Promise<void> {
  await deleteRecord(tx, definition.table, { row, scope: { organization_id: row.organization_id } })
  await recordStored(tx, definition, { row, what: 'destroyed', details: allDetails(definition, row, {}) })
}

function allDetails({ attributes, details = [] }: Told<OrganizationRecordTable>, before: object, after: object): ActivityDetail[] {
  return [...writtenDetails(attributes, { ...before }, { ...after }), ...details]
}

async function recordStored(
  tx: Tx,
  { subject: type }: Pick<WrittenDefinition<OrganizationRecordTable>, 'subject'>,
  {
    row,
    what,
    details,
  }: {
    row: { readonly organization_id: number; readonly id: number }
    what: 'created' | 'updated' | 'destroyed'
    details: readonly ActivityDetail[]
  },
): Promise<void> {
  const { organization_id, id } = row
  await recordActivity(tx, { organization_id, subject: { type, id }, event: storedEvent(type, what), details })
}
