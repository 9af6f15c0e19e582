import type { OrganizationRecordTable } from '#shared/records/index'
import type { OrganizationRow } from '#main/store/records/organizations/organization-row'
import type { Tx } from '#main/store/core/store'
import type { OrganizationRecordKey } from '#main/store/records/organizations/organization-record-reader'
import { assertFresh } from '../access/preconditions'
import { getWrittenRecord } from './get-written-record'
import type { OrganizationRecord } from './plain-organization-record'

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
