import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { invitationRoutes } from '#shared/contract/invitations'
import { toInstant } from '#shared/domain/dates'
import { forbidden, invalid, notFound } from '#shared/domain/errors'
import { defaultLanguage } from '#shared/domain/locales'
import { canChangeMember } from '#shared/domain/roles'
import { findTimezone } from '#shared/domain/timezones'
import { translate } from '#shared/i18n/translations'
import type { Reader, Tx } from '#main/store/core/store'
import {
  deleteInvitation,
  findInvitation,
  findInvitationBySecret,
  linkInvitation,
  noteOnInvitation,
  storeInvitation,
} from '#main/store/records/organizations/invitations'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import { languageOf } from '#main/store/records/users/user-language'
import { findUser, findUserByEmail } from '#main/store/records/users/user-reader'
import { insertUser } from '#main/store/records/users/user-writer'
import { assertCurrencyInUse } from '../access/amounts'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { createToken } from '../users/tokens'

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

/** An open invitation that the acting user may withdraw or send again: its role is not above theirs. Throws {@link DomainError}. */
async function getManagedInvitation(tx: Tx, key: { organization_id: number; id: number }): Promise<Row<'invitations'>> {
  const { membership } = await getManagedOrganization(tx, key.organization_id, 'members.invite')
  const invitation = await findInvitation(tx, key)
  if (!invitation) throw notFound()
  if (!canChangeMember(membership.role, invitation.role)) throw forbidden()
  await assertFresh(tx, invitation)
  return invitation
}

/** Sends an invitation again, in the acting user's name and with a new secret; the old one becomes invalid. Throws {@link DomainError}. */
export async function resendInvitation(tx: Tx, key: { organization_id: number; id: number }): Promise<Row<'invitations'>> {
  const { organization_id, email, role } = await getManagedInvitation(tx, key)
  return storeInvitation(tx, { organization_id, email, role, ...unsentTerms(tx) })
}

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

/** Withdraws an invitation; its secret becomes invalid. Throws {@link DomainError}. */
export async function withdrawInvitation(tx: Tx, key: { organization_id: number; id: number }): Promise<void> {
  await deleteInvitation(tx, await getManagedInvitation(tx, key))
}

/** The input for accepting: the secret proves the address, the rest describes a new user. */
type AcceptInvitation = z.output<typeof invitationRoutes.accept.body>

/** Who joined; `token` is a new user's API token, returned once. */
interface Acceptance {
  readonly user_id: number
  readonly token: string | null
}

const longestDescription = 255

/**
 * Makes the holder of an invitation's secret a member: the user with the invited address, or a new one. Throws {@link DomainError}: 404 for an
 * invalid secret, 402 for an expired organization, 422 under `name` for a new user without a name.
 */
export async function acceptInvitation(tx: Tx, input: AcceptInvitation): Promise<Acceptance> {
  const { invitation, organization } = await getOfferedInvitation(tx, { secret: input.secret, now: tx.now })
  const { organization_id, email, role } = invitation
  await getWritableOrganization(tx, organization_id)
  const known = await findUserByEmail(tx, email)
  const user = known ?? (await makeUser(tx, invitation, input))
  const own = tx.as({ ...tx.actor, user_id: user.id })
  if (!(await findMembership(own, { organization_id, user_id: user.id })))
    await insertMembership(own, { organization_id, user_id: user.id, role })
  await noteOnInvitation(own, invitation, { accepted_at: tx.now })
  if (known) return { user_id: user.id, token: null }
  const description = translate(languageOf(user), 'invitation:token', { organization: organization.name }).slice(0, longestDescription)
  const { token } = await createToken(own, { user_id: user.id, description })
  return { user_id: user.id, token }
}

async function makeUser(tx: Tx, invitation: Row<'invitations'>, input: AcceptInvitation): Promise<Row<'users'>> {
  const name = input.name ?? [input.first_name, input.last_name].filter(Boolean).join(' ')
  if (name === '') throw invalid('name', 'blank')
  const inviter = await findUser(tx, invitation.invited_by_user_id)
  const timezone = input.timezone === undefined ? (inviter?.timezone ?? 'Etc/UTC') : findTimezone(input.timezone)
  if (timezone === undefined) throw invalid('timezone', 'inclusion')
  if (input.default_currency !== undefined) assertCurrencyInUse(input.default_currency, { attribute: 'default_currency' })
  return insertUser(tx, {
    name,
    email: invitation.email,
    locale: input.locale ?? (inviter ? languageOf(inviter) : defaultLanguage),
    default_currency: input.default_currency ?? inviter?.default_currency ?? 'BRL',
    timezone,
  })
}
