import { storedEvent } from '#shared/domain/activity-events'
import type { Attributes } from '#shared/records/attributes'
import type { OrganizationRecordTable, SharedSubject } from '#shared/records/index'
import { type Changes, deleteRecord, insertRecord, touchRecord, updateRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'
import { type ActivityDetail, writtenDetails } from '../conversations/activity-details'
import { recordActivity } from '../conversations/activity-writer'
import { type NewOrganizationRow, type OrganizationRow, toOrganizationRow } from './organization-row'

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
