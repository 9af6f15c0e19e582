import type { Row } from '#db/schema'
import { linkInvitation } from '#main/store/records/organizations/invitation-writer'
import type { Tx } from '#main/store/core/store'
import { termsOf } from './invitation-secret'
import { getManagedInvitation } from './get-managed-invitation'

/**
 * Gives an open invitation a new secret for the acting user to pass on, which replaces the old one. It is no longer sent by e-mail, unless it is sent
 * again. Throws {@link DomainError}.
 */
export async function makeInvitationLink(
  tx: Tx,
  key: { organization_id: number; id: number },
): Promise<{ invitation: Row<'invitations'>; secret: string }> {
  const row = await getManagedInvitation(tx, key)
  const secret = tx.clock.secret(32)
  return { invitation: await linkInvitation(tx, row, termsOf(tx, secret)), secret }
}
