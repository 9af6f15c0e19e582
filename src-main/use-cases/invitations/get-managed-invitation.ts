import type { Row } from '#db/schema'
import { forbidden, notFound } from '#shared/domain/errors'
import { canChangeMember } from '#shared/domain/roles'
import { findInvitation } from '#main/store/records/organizations/invitation-reader'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'

/** An open invitation that the acting user may withdraw or send again: its role is not above theirs. Throws {@link DomainError}. */
export async function getManagedInvitation(tx: Tx, key: { organization_id: number; id: number }): Promise<Row<'invitations'>> {
  const { membership } = await getManagedOrganization(tx, key.organization_id, 'members.invite')
  const invitation = await findInvitation(tx, key)
  if (!invitation) throw notFound()
  if (!canChangeMember(membership.role, invitation.role)) throw forbidden()
  await assertFresh(tx, invitation)
  return invitation
}
