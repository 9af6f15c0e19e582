import type { Row } from '#db/schema'
import { storeInvitation } from '#main/store/records/organizations/invitation-writer'
import type { Tx } from '#main/store/core/store'
import { unsentTerms } from './invitation-secret'
import { getManagedInvitation } from './get-managed-invitation'

/** Sends an invitation again, in the acting user's name and with a new secret; the old one becomes invalid. Throws {@link DomainError}. */
export async function resendInvitation(tx: Tx, key: { organization_id: number; id: number }): Promise<Row<'invitations'>> {
  const { organization_id, email, role } = await getManagedInvitation(tx, key)
  return storeInvitation(tx, { organization_id, email, role, ...unsentTerms(tx) })
}
