import { deleteOrganization as storeDeletion } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'

/**
 * Deletes an organization (contract 2.13: admins). Its members are no longer members, and see only their own records in it. Throws {@link
 * DomainError}.
 */
export async function deleteOrganization(tx: Tx, id: number): Promise<void> {
  const { organization } = await getManagedOrganization(tx, id, 'organizations.delete')
  await assertFresh(tx, organization)
  await storeDeletion(tx, organization)
}
