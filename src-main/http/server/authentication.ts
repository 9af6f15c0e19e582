import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { toInstant } from '#shared/domain/dates'
import { languageOf } from '#main/store/records/users/user-language'
import { findSession } from '#main/store/records/users/sessions'
import { findLocalUser, findTokenUser } from '#main/store/records/users/user-reader'
import { parseScopes } from '#shared/domain/doors/scopes'
import type { ServerParts } from '../deps'
import type { Caller } from '../command'
import { localHeader } from './local-header'
import { baseUrlOf, sourceOf } from './reached'

/** Our cookies: the session, and the secret of a sign-in begun at an OpenID provider. */
export type CookieName = 'session' | 'openid'

/** A cookie's name for an address. Over https a browser accepts a `__Host-` cookie only from this very host, encrypted. */
export function cookieAt(base_url: string, name: CookieName): string {
  return `${isEncrypted(base_url) ? '__Host-' : ''}outlay_${name}`
}

/** Whether an address is reached over https. */
export function isEncrypted(base_url: string): boolean {
  return base_url.startsWith('https:')
}

/** The hash under which tokens and session ids are stored. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

export type Authentication = { readonly kind: 'known'; readonly caller: Caller } | { readonly kind: 'unknown' | 'throttled' }

/** What authenticating a request needs. */
export type AuthenticationDeps = Pick<ServerParts, 'store' | 'clock' | 'settings' | 'local_secret' | 'token_uses' | 'failed_log_ins'>

/** Finds the caller: the local user, a Basic token (contract section 5), or a browser session. */
export async function authenticate(deps: AuthenticationDeps, request: FastifyRequest): Promise<Authentication> {
  if (isLocal(deps, request)) {
    const user = await findLocalUser(deps.store.reader)
    const caller = { way: 'local', session_hash: null, scopes: null, ends_at: null, token_ends_at: null } as const
    return user ? known({ ...caller, user_id: user.id, locale: languageOf(user) }) : { kind: 'unknown' }
  }
  const credentials = request.headers.authorization
  if (credentials !== undefined) return byToken(deps, credentials, sourceOf(deps, request))
  const cookie = request.cookies[cookieAt(baseUrlOf(deps, request), 'session')]
  if (cookie === undefined) return { kind: 'unknown' }
  const session_hash = hashSecret(cookie)
  const session = await findSession(deps.store.reader, { session_hash, now: toInstant(deps.clock.now()) })
  if (!session) return { kind: 'unknown' }
  const { user_id, scopes, expires_at, token_expires_at: token_ends_at } = session
  const ends_at = token_ends_at !== null && token_ends_at < expires_at ? token_ends_at : expires_at
  const ends = { ends_at, token_ends_at }
  return known({ user_id, locale: languageOf(session), way: 'session', session_hash, scopes: parseScopes(scopes), ...ends })
}

function known(caller: Caller): Authentication {
  return { kind: 'known', caller }
}

/** Whether a request comes from the desktop's window. */
export function isLocal({ local_secret }: Pick<ServerParts, 'local_secret'>, request: FastifyRequest): boolean {
  const given = request.headers[localHeader]
  return typeof given === 'string' && given.length === local_secret.length && timingSafeEqual(Buffer.from(given), Buffer.from(local_secret))
}

async function byToken(deps: AuthenticationDeps, credentials: string, source: string): Promise<Authentication> {
  const token = tokenOf(credentials)
  const token_hash = token === undefined ? undefined : hashSecret(token)
  const user = token_hash === undefined ? undefined : await findTokenUser(deps.store.reader, { token_hash })
  if (user && token_hash !== undefined && !isOver(user.token_expires_at, deps.clock.now())) {
    deps.token_uses.note(token_hash)
    const { id: user_id, scopes, token_expires_at: ends_at } = user
    const ends = { ends_at, token_ends_at: ends_at }
    return known({ user_id, locale: languageOf(user), way: 'token', session_hash: null, scopes: parseScopes(scopes), ...ends })
  }
  // A valid token is always accepted: tokens are too long to guess, and others may share the address.
  if (await deps.failed_log_ins.isThrottled(source)) return { kind: 'throttled' }
  await deps.failed_log_ins.note(source)
  return { kind: 'unknown' }
}

/** Whether an end has passed. */
export function isOver(ends_at: string | null, now: Date): boolean {
  return ends_at !== null && ends_at <= toInstant(now)
}

/** The username of HTTP Basic; the password is ignored. */
function tokenOf(credentials: string): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(credentials) ?? []
  const token = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').split(':')[0]
  return token === '' ? undefined : token
}
