import { forbidden } from '#shared/domain/errors'
import { canChangeMember } from '#shared/domain/roles'
import { deleteMembership } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'
import { assertNotStandingIn } from '../approvals/stand-in-record'
import { assertNotLastAdmin } from './change-role'
import { getMember } from './get-member'

/** Removes a member who is not above the acting user (contract 2.13, 4.10). Throws {@link DomainError}. */
export async function removeMember(tx: Tx, key: { organization_id: number; user_id: number }): Promise<void> {
  const member = await getMember(tx, key)
  const { membership: own } = await getManagedOrganization(tx, key.organization_id, 'members.remove')
  if (!canChangeMember(own.role, member.role)) throw forbidden()
  await assertFresh(tx, member)
  await assertNotLastAdmin(tx, member)
  await assertNotStandingIn(tx, member)
  await deleteMembership(tx, member, 'organization_remove_member')
}
