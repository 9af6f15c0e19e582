import { createHash } from 'node:crypto'
import type { Row } from '#db/schema'
import { type Scope, type Scopes, hasScope } from '#shared/domain/doors/scopes'
import { invalid, notFound } from '#shared/domain/errors'
import type { Tx } from '#main/store/core/store'
import { findOwnApiToken } from '#main/store/records/users/api-token-reader'
import { insertApiToken, revokeApiToken } from '#main/store/records/users/user-writer'

/** The input for a token. Without `scopes` it may do everything its user may; without `expires_at`, an ISO instant, it does not expire. */
interface NewToken {
  readonly user_id: number
  readonly description: string
  readonly scopes?: readonly Scope[] | null | undefined
  readonly expires_at?: string | null | undefined
}

/** The scopes and end of the token that requests another one. */
interface Grantor {
  readonly scopes: Scopes
  readonly token_ends_at: string | null
}

/** Creates an API token for a user (contract section 5). The token is returned once, and only its hash is stored. */
export async function createToken(
  tx: Tx,
  { scopes = null, expires_at = null, ...named }: NewToken,
): Promise<{ token_id: number; token: string }> {
  if (expires_at !== null && expires_at <= tx.now) throw invalid('expires_at', 'is_past')
  const token = tx.clock.secret(24)
  const token_hash = createHash('sha256').update(token).digest('hex')
  const stored = { ...named, token_hash, scopes: scopes?.join(' ') ?? null, expires_at }
  return { token_id: await insertApiToken(tx, stored), token }
}

/** Throws {@link DomainError} for a token that could do more, or live longer, than the token that requests it. */
export function assertGrantable({ scopes: held, token_ends_at }: Grantor, { scopes = null, expires_at = null }: Partial<NewToken>): void {
  if (held !== null && !scopes?.every((scope) => hasScope(held, scope))) throw invalid('scopes', 'beyond_own')
  if (token_ends_at !== null && (expires_at === null || expires_at > token_ends_at)) throw invalid('expires_at', 'beyond_own')
}

/** One of the acting user's valid API tokens; 404 if there is none. */
export async function getOwnToken(tx: Tx, id: number): Promise<Row<'api_tokens'>> {
  const token = await findOwnApiToken(tx, { id, user_id: tx.actor.user_id })
  if (!token) throw notFound()
  return token
}

/** Revokes one of the acting user's API tokens, whatever the state of their organizations. Throws {@link DomainError}. */
export async function revokeToken(tx: Tx, id: number): Promise<void> {
  await revokeApiToken(tx, await getOwnToken(tx, id))
}
