import type { OrganizationRecordTable } from '#shared/records/index'
import type { Tx } from '#main/store/core/store'
import type { OrganizationRecordKey } from '#main/store/records/organizations/organization-record-reader'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'
import { getOrganizationRecord } from './get-organization-record'
import type { OrganizationRecord } from './plain-organization-record'

/** Deletes a record of an organization. Throws {@link DomainError}. */
export async function deleteOrganizationRecord<T extends OrganizationRecordTable>(
  tx: Tx,
  record: Pick<OrganizationRecord<T>, 'table' | 'action' | 'remove'>,
  key: OrganizationRecordKey,
): Promise<void> {
  const row = await getOrganizationRecord(tx, record.table, key)
  await getManagedOrganization(tx, key.organization_id, record.action)
  assertFresh(tx, row)
  await record.remove(tx, row)
}
