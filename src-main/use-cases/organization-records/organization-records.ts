import { forbidden, notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import type { OrganizationRecordTable } from '#shared/records/index'
import type { Reader, Tx } from '#main/store/core/store'
import {
  type OrganizationRecordKey,
  type OrganizationRow,
  findOrganizationRecord,
  seesOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import { getManagedOrganization, getVisibleOrganization } from '../access/get-visible-organization'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import type { OrganizationRecord } from './plain-organization-record'

/** A record of an organization; 404 if it does not exist or this user may not see it. */
export async function getOrganizationRecord<T extends OrganizationRecordTable>(
  reader: Reader,
  table: T,
  { user_id, ...key }: OrganizationRecordKey & { user_id: number },
): Promise<OrganizationRow<T>> {
  const row = await findOrganizationRecord(reader, table, key)
  if (!row || !(await seesOrganizationRecord(reader, table, { id: row.id, user_id }))) throw notFound()
  return row
}

/** Whether a user is the author of a record that has one. */
export function isAuthor(row: object, user_id: number): boolean {
  return 'user_id' in row && row.user_id === user_id
}

/** A record that the acting user may change or delete: 404 if they do not see it, then 402, then 403. Throws {@link DomainError}. */
async function getWrittenRecord<T extends OrganizationRecordTable>(
  tx: Tx,
  { table, action }: Pick<OrganizationRecord<T>, 'table' | 'action'>,
  { organization_id, id }: OrganizationRecordKey,
): Promise<OrganizationRow<T>> {
  const { user_id } = tx.actor
  const { membership } = await getVisibleOrganization(tx, { id: organization_id, user_id })
  const row = await getOrganizationRecord(tx, table, { organization_id, id, user_id })
  await getWritableOrganization(tx, organization_id)
  if (!may(action, { role: membership.role, is_author: isAuthor(row, user_id) })) throw forbidden()
  return row
}

/** Creates a record of an organization. Throws {@link DomainError}. */
export async function createOrganizationRecord<T extends OrganizationRecordTable, I extends Readonly<Record<string, unknown>>>(
  tx: Tx,
  record: OrganizationRecord<T, I>,
  { organization_id, input }: { organization_id: number; input: I },
): Promise<OrganizationRow<T>> {
  await getManagedOrganization(tx, organization_id, record.createAction ?? record.action)
  await record.assertValid?.(tx, { organization_id, input })
  return record.insert(tx, organization_id, input)
}

/** Changes attributes of an organization's record; absent ones stay. Throws {@link DomainError}. */
export async function updateOrganizationRecord<T extends OrganizationRecordTable, I extends Readonly<Record<string, unknown>>>(
  tx: Tx,
  record: OrganizationRecord<T, I>,
  { key, input }: { key: OrganizationRecordKey; input: Partial<I> },
): Promise<OrganizationRow<T>> {
  const row = await getWrittenRecord(tx, record, key)
  await assertFresh(tx, row)
  await record.assertValid?.(tx, { organization_id: key.organization_id, row, input })
  return record.update(tx, row, input)
}

/** Deletes a record of an organization. Throws {@link DomainError}. */
export async function deleteOrganizationRecord<T extends OrganizationRecordTable>(
  tx: Tx,
  record: Pick<OrganizationRecord<T>, 'table' | 'action' | 'destroyAction' | 'remove'>,
  key: OrganizationRecordKey,
): Promise<void> {
  const row = await getWrittenRecord(tx, { table: record.table, action: record.destroyAction ?? record.action }, key)
  await assertFresh(tx, row)
  await record.remove(tx, row)
}
