import { DomainError } from '#shared/domain/errors'
import { countAdmins } from '#main/store/records/organizations/membership-reader'
import { deleteMembership } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { getVisibleOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'
import { assertNotStandingIn } from '../approvals/stand-in-record'

/** Ends the acting user's membership, also in an expired organization; its only admin cannot leave (contract 4.10). Throws {@link DomainError}. */
export async function leaveOrganization(tx: Tx, id: number): Promise<void> {
  const { membership } = await getVisibleOrganization(tx, { id, user_id: tx.actor.user_id, action: 'organizations.leave' })
  if (membership.role === 'admin' && (await countAdmins(tx, id)) === 1)
    throw new DomainError({ kind: 'not_possible', code: 'only_admin', shape: 'error' })
  await assertFresh(tx, membership)
  await assertNotStandingIn(tx, membership)
  await deleteMembership(tx, membership, 'organization_left')
}
