import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { invitationRoutes } from '#shared/contract/invitations'
import { invalid } from '#shared/domain/errors'
import { findTimezone } from '#shared/domain/timezones'
import { translate } from '#shared/i18n/translations'
import { languageOf } from '#main/store/records/users/user-language'
import { defaultLanguage } from '#shared/domain/locales'
import { noteOnInvitation } from '#main/store/records/organizations/invitation-writer'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { findUser, findUserByEmail } from '#main/store/records/users/user-reader'
import { insertUser } from '#main/store/records/users/user-writer'
import { assertCurrencyInUse } from '../access/amounts'
import { getWritableOrganization } from '../access/preconditions'
import { createToken } from '../users/create-token'
import { getOfferedInvitation } from './invitation-secret'

/** The input for accepting: the secret proves the address, the rest describes a new user. */
export type AcceptInvitation = z.output<typeof invitationRoutes.accept.body>

/** Who joined; `token` is a new user's API token, returned once. */
export interface Acceptance {
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
