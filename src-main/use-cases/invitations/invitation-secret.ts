import { createHash } from 'node:crypto'
import type { Row } from '#db/schema'
import { notFound } from '#shared/domain/errors'
import { toInstant } from '#shared/domain/dates'
import { findInvitationBySecret } from '#main/store/records/organizations/invitation-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Reader, Tx } from '#main/store/core/store'

const daysToAccept = 30

/** The secret of an invitation is stored only as this hash. */
export function hashInvitationSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Where an invitation is accepted. `base`: {scheme}://{host} of the instance. The fragment is sent to no server, so it is in no log. */
export function toInvitationLink(base: string, secret: string): string {
  return `${base.replace(/\/+$/, '')}/join#${secret}`
}

/** What a new invitation is stored with: who sends it makes the secret that it carries, so until then nobody knows one that fits. */
export function unsentTerms(tx: Tx): { token_hash: string; expires_at: string } {
  return termsOf(tx, tx.clock.secret(32))
}

/** What an invitation is stored with that this secret accepts from now on, for thirty days. */
export function termsOf(tx: Tx, secret: string): { token_hash: string; expires_at: string } {
  return { token_hash: hashInvitationSecret(secret), expires_at: toInstant(new Date(tx.clock.now().getTime() + daysToAccept * 86_400_000)) }
}

/**
 * The invitation that a secret accepts, and its organization. One that is wrong, used, withdrawn, replaced or too old, or whose
 * organization is deleted, is not there: nobody can tell which (404).
 */
export async function getOfferedInvitation(
  reader: Reader,
  { secret, now }: { secret: string; now: string },
): Promise<{ invitation: Row<'invitations'>; organization: Row<'organizations'> }> {
  const invitation = await findInvitationBySecret(reader, { token_hash: hashInvitationSecret(secret), now })
  const organization = invitation && (await findOrganization(reader, invitation.organization_id))
  if (!organization) throw notFound()
  return { invitation, organization }
}
