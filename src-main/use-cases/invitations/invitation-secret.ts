import { createHash } from 'node:crypto'
import type { Row } from '#db/schema'
import { notFound } from '#shared/domain/errors'
import { toInstant } from '#shared/domain/dates'
import { findInvitationBySecret } from '#main/store/records/organizations/invitation-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Reader, Tx } from '#main/store/core/store'

const daysToAccept = 30

/** The hash under which an invitation's secret is stored. */
export function hashInvitationSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The link that accepts an invitation. `base`: {scheme}://{host} of the instance. The fragment is sent to no server, so it is in no log. */
export function toInvitationLink(base: string, secret: string): string {
  return `${base.replace(/\/+$/, '')}/join#${secret}`
}

/** A new invitation's hash and end. Sending makes the secret, so until then nobody knows a valid one. */
export function unsentTerms(tx: Tx): { token_hash: string; expires_at: string } {
  return termsOf(tx, tx.clock.secret(32))
}

/** The hash and end of an invitation that this secret accepts from now on, for thirty days. */
export function termsOf(tx: Tx, secret: string): { token_hash: string; expires_at: string } {
  return { token_hash: hashInvitationSecret(secret), expires_at: toInstant(new Date(tx.clock.now().getTime() + daysToAccept * 86_400_000)) }
}

/**
 * The invitation that a secret accepts, and its organization. 404 for a secret that is wrong, used, withdrawn, replaced or expired, or whose
 * organization is deleted, so that nobody can tell which.
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
