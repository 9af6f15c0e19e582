import type { OrganizationRecordTable } from '#shared/records/index'
import type { OrganizationRow } from '#main/store/records/organizations/organization-row'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import type { OrganizationRecord } from './plain-organization-record'

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
