import { forbidden } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import type { OrganizationRecordTable } from '#shared/records/index'
import type { Tx } from '#main/store/core/store'
import type { OrganizationRecordKey } from '#main/store/records/organizations/organization-record-reader'
import type { OrganizationRow } from '#main/store/records/organizations/organization-row'
import { getVisibleOrganization } from '../access/get-visible-organization'
import { getWritableOrganization } from '../access/preconditions'
import { getOrganizationRecord, isAuthor } from './get-organization-record'
import type { OrganizationRecord } from './plain-organization-record'

/** A record that the acting user may change or delete: 404 if they do not see it, then 402, then 403. Throws {@link DomainError}. */
export async function getWrittenRecord<T extends OrganizationRecordTable>(
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
