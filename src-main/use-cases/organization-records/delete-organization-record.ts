import type { OrganizationRecordTable } from '#shared/records/index'
import type { Tx } from '#main/store/core/store'
import type { OrganizationRecordKey } from '#main/store/records/organizations/organization-record-reader'
import { assertFresh } from '../access/preconditions'
import { getWrittenRecord } from './get-written-record'
import type { OrganizationRecord } from './plain-organization-record'

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
