import type { Language } from '#shared/domain/locales'
import { invalid, notFound } from '#shared/domain/errors'
import type { Role } from '#shared/domain/roles'
import { languageOf } from '#main/store/records/users/user-language'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { findUser, findUserByEmail } from '#main/store/records/users/user-reader'
import { insertUser } from '#main/store/records/users/user-writer'
import { getWritableOrganization } from '../access/preconditions'
import { createToken } from './tokens'

/** The user to add, and the organization. */
export interface AddUser {
  readonly organization_id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  /** Their language; absent: the admin's. */
  readonly locale?: Language
}

/**
 * Creates a user who is a member at once, without an invitation, with a token to sign in: for operators, whose command acts for an admin. An existing
 * user becomes a member; an existing member is an error under `email`.
 */
export async function addUser(
  tx: Tx,
  { organization_id, name, email, role, locale }: AddUser,
): Promise<{ user_id: number; token: string }> {
  await getWritableOrganization(tx, organization_id)
  const admin = await findUser(tx, tx.actor.user_id)
  if (!admin) throw notFound()
  const { default_currency, timezone } = admin
  const user =
    (await findUserByEmail(tx, email)) ??
    (await insertUser(tx, { name, email, default_currency, locale: locale ?? languageOf(admin), timezone }))
  if (await findMembership(tx, { organization_id, user_id: user.id })) throw invalid('email', 'taken')
  await insertMembership(tx, { organization_id, user_id: user.id, role })
  const { token } = await createToken(tx, { user_id: user.id, description: 'outlay user add' })
  return { user_id: user.id, token }
}
