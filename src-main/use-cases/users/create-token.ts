import { createHash } from 'node:crypto'
import { invalid } from '#shared/domain/errors'
import { type Scope, type Scopes, hasScope } from '#shared/domain/doors/scopes'
import { insertApiToken } from '#main/store/records/users/user-writer'
import type { Tx } from '#main/store/core/store'

/** A token to make. Without `scopes` it does all that its user may; without `expires_at`, an ISO instant, it does not end. */
interface NewToken {
  readonly user_id: number
  readonly description: string
  readonly scopes?: readonly Scope[] | null | undefined
  readonly expires_at?: string | null | undefined
}

/** What the token that asks for another one may itself do, and until when. */
interface Grantor {
  readonly scopes: Scopes
  readonly token_ends_at: string | null
}

/** Makes an API token for a user (contract section 5); the token itself is returned once and stored only as a hash. */
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

/** Refuses a token that could do more, or for longer, than the token that asks for it. Throws {@link DomainError}. */
export function assertGrantable({ scopes: held, token_ends_at }: Grantor, { scopes = null, expires_at = null }: Partial<NewToken>): void {
  if (held !== null && !scopes?.every((scope) => hasScope(held, scope))) throw invalid('scopes', 'beyond_own')
  if (token_ends_at !== null && (expires_at === null || expires_at > token_ends_at)) throw invalid('expires_at', 'beyond_own')
}
