import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Row } from '#db/schema'
import { DomainError } from '#shared/domain/errors'
import type { Language } from '#shared/domain/locales'
import { findFirstAdmin } from '#main/store/records/organizations/member-directory'
import { findOpenIdLink, findOpenIdLinkOf, insertOpenIdLink, noteOpenIdSignIn, openIdOrigin } from '#main/store/records/users/openid-links'
import { takeChallenge } from '#main/store/records/users/sign-in-challenges'
import { findUser, findUserByEmail } from '#main/store/records/users/user-reader'
import { insertUser } from '#main/store/records/users/user-writer'
import type { Tx } from '#main/store/core/store'
import { applyGroups, rolesOf, takesMembers } from '../memberships/apply-groups'
import { challengeHash, issueChallenge } from './challenges'
import type { Identity, OpenIdSettings } from './open-id-provider'

/** How long a person may take at the provider, in milliseconds. */
export const openIdValidMs = 10 * 60_000

const pending = z.object({ nonce: z.string(), code_challenge: z.string() })

/** A sign-in that a browser began. `secret`: only that browser has it; it is also the PKCE verifier. */
export interface BegunSignIn extends z.infer<typeof pending> {
  readonly state: string
  readonly secret: string
}

const address = z.email().max(255)

const challengeOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Begins a sign-in at a provider. Only hashes of the secrets are stored. */
export async function beginOpenIdSignIn(tx: Tx): Promise<BegunSignIn> {
  const [secret, nonce] = [randomText(tx), randomText(tx)]
  const kept = { nonce, code_challenge: challengeOf(secret) }
  const data = JSON.stringify(kept)
  const state = await issueChallenge(tx, { purpose: 'openid', user_id: null, data, validMs: openIdValidMs })
  return { ...kept, state, secret }
}

/** Uses up the sign-in of a provider's response; undefined if it is used up, has expired, or began in another browser. */
export async function takeOpenIdSignIn(
  tx: Tx,
  { state, secret }: { state: string; secret: string },
): Promise<{ nonce: string } | undefined> {
  const row = await takeChallenge(tx, { purpose: 'openid', hash: challengeHash(state) })
  if (!row?.data) return undefined
  const { nonce, code_challenge } = pending.parse(JSON.parse(row.data))
  const isOurs = timingSafeEqual(Buffer.from(code_challenge), Buffer.from(challengeOf(secret)))
  return isOurs ? { nonce } : undefined
}

/**
 * The user of an identity: the linked one; otherwise the user with its e-mail address, if verified; otherwise a new one, if the operator allows that.
 * Groups then give roles. Throws {@link DomainError}.
 */
export async function admitByOpenId(
  tx: Tx,
  identity: Identity,
  { settings, locale }: { settings: OpenIdSettings; locale: Language },
): Promise<number> {
  const { issuer, subject } = identity
  const given = rolesOf(settings.groups, identity.groups ?? [])
  const identity_hash = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
  const link = await findOpenIdLink(tx, identity_hash)
  const user = link ? await findUser(tx, link.user_id) : await findOrMakeUser(tx, identity, { settings, given, locale })
  if (!user) throw refused('openid_erased')
  const user_id = user.id
  const own = tx.as({ ...tx.actor, user_id, origin: openIdOrigin })
  if (!link) await insertOpenIdLink(own, { user_id, issuer, identity_hash })
  if (identity.groups) await applyGroups(own, given)
  const groups = settings.groups.map(({ group }) => group).filter((group) => identity.groups?.includes(group))
  await noteOpenIdSignIn(own, { user_id, identity_hash, groups: [...new Set(groups)] })
  return user_id
}

interface Ways {
  readonly settings: OpenIdSettings
  readonly given: ReturnType<typeof rolesOf>
  /** The page's language, if the provider does not say the person's. */
  readonly locale: Language
}

async function findOrMakeUser(tx: Tx, identity: Identity, ways: Ways): Promise<Row<'users'>> {
  const { email, issuer } = identity
  const { name, joins } = ways.settings
  if (email === null || !address.safeParse(email).success) throw refused('openid_unverified', { provider: name })
  const user = await findUserByEmail(tx, email)
  if (!user && !joins) throw refused('openid_unknown', { email })
  if (!user) return makeUser(tx, { ...identity, email }, ways)
  // A person who gets another person's earlier address is not that person.
  if (await findOpenIdLinkOf(tx, { user_id: user.id, issuer })) throw refused('openid_other', { provider: name, email })
  return user
}

async function makeUser(tx: Tx, identity: Identity & { email: string }, { settings, given, locale }: Ways): Promise<Row<'users'>> {
  const { email, name, language = locale } = identity
  for (const [organization_id, role] of given) {
    if (role === undefined || !(await takesMembers(tx, organization_id))) continue
    const admin = await findFirstAdmin(tx, organization_id)
    const { default_currency = 'BRL', timezone = 'Etc/UTC' } = admin ?? {}
    const named = (name ?? email.split('@')[0] ?? email).slice(0, 200)
    return insertUser(tx, { name: named, email, locale: language, default_currency, timezone: identity.timezone ?? timezone })
  }
  throw refused('openid_no_groups', { provider: settings.name })
}

function refused(code: string, params?: Readonly<Record<string, string>>): DomainError {
  return new DomainError({ kind: 'not_possible', code, ...(params && { params }) })
}

function randomText({ clock }: Tx): string {
  return Buffer.from(clock.secret(32), 'hex').toString('base64url')
}
