import { z } from 'zod'
import { forbidden, invalid } from '#shared/domain/errors'
import { type Role, grantableRoles } from '#shared/domain/roles'
import { findOpenInvitation, noteOnInvitation, storeInvitation } from '#main/store/records/organizations/invitations'
import { insertJoinNotice } from '#main/store/records/organizations/join-notices'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { findUserByEmail } from '#main/store/records/users/user-reader'
import { getManagedOrganization } from '../access/get-visible-organization'
import { unsentTerms } from '../invitations/invitations'

/** The number of addresses in an invitation, by result. */
export interface InvitationOutcome {
  readonly total: number
  /** Joined or invited. */
  readonly added: number
  /** Already members. */
  readonly not_added: number
  readonly invalid: number
}

const address = z.email()

/**
 * Invites people to an organization by comma-separated e-mail addresses (contract 4.10, supplement 2 "Memberships"): known users join at once and see
 * a notice, others get an invitation, which is sent later. Throws {@link DomainError}; invalid addresses are counted and do not affect others.
 */
export async function inviteMembers(
  tx: Tx,
  organization_id: number,
  { emails, role = 'member' }: { emails: string; role?: Role },
): Promise<InvitationOutcome> {
  const { membership } = await getManagedOrganization(tx, organization_id, 'members.invite')
  if (!grantableRoles(membership.role).includes(role)) throw forbidden()
  const named = new Map(emails.split(',').map((text) => [text.trim().toLowerCase(), text.trim()]))
  named.delete('')
  if (named.size === 0) throw invalid('message', 'user_missing')
  const counts = { added: 0, not_added: 0, invalid: 0 }
  for (const email of named.values()) {
    if (address.safeParse(email).success) counts[await invite(tx, { organization_id, email, role })] += 1
    else counts.invalid += 1
  }
  return { total: named.size, ...counts }
}

async function invite(
  tx: Tx,
  { organization_id, email, role }: { organization_id: number; email: string; role: Role },
): Promise<'added' | 'not_added'> {
  const user = await findUserByEmail(tx, email)
  if (!user) {
    await storeInvitation(tx, { organization_id, email, role, ...unsentTerms(tx) })
    return 'added'
  }
  if (await findMembership(tx, { organization_id, user_id: user.id })) return 'not_added'
  await insertJoinNotice(tx, await insertMembership(tx, { organization_id, user_id: user.id, role }))
  const open = await findOpenInvitation(tx, { organization_id, email })
  if (open) await noteOnInvitation(tx, open, { accepted_at: tx.now })
  return 'added'
}
