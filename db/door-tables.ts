import type { Generated } from 'kysely'
import type { Door } from '#shared/domain/doors/doors'
import type { Role } from '#shared/domain/roles'

/** `scopes`: by name, separated by spaces; null: all that the user may do. */
export interface ApiTokenTable {
  id: Generated<number>
  uid: string
  user_id: number
  token_hash: string
  description: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
  scopes: string | null
  expires_at: string | null
}

/** `api_token_id`: the token that began it, with which it ends. */
export interface SessionTable {
  session_hash: string
  user_id: number
  api_token_id: number | null
  created_at: string
  expires_at: string
  door: Door | null
  user_agent: string | null
}

/** A request to sign in by e-mail. The hashes are null until a message is made, and where nobody has the address. */
export interface SignInCodeTable {
  id: Generated<number>
  email: string
  locale: string
  code_hash: Generated<string | null>
  link_hash: Generated<string | null>
  attempts: Generated<number>
  created_at: string
  expires_at: string
  sent_at: Generated<string | null>
  used_at: Generated<string | null>
}

/** `credential_id` and `public_key` (COSE) are base64url. */
export interface PasskeyTable {
  id: Generated<number>
  user_id: number
  credential_id: string
  public_key: string
  counter: number
  name: string
  created_at: string
  last_used_at: Generated<string | null>
  cloned_at: Generated<string | null>
}

export interface RecoveryCodeTable {
  id: Generated<number>
  user_id: number
  code_hash: string
  created_at: string
  used_at: Generated<string | null>
}

/** `user_id`: of a signed-in user who adds a passkey. `data`: JSON of the purpose. */
export interface SignInChallengeTable {
  hash: string
  purpose: 'add_passkey' | 'passkey' | 'openid'
  user_id: number | null
  data: string | null
  created_at: string
  expires_at: string
}

/** `identity_hash`: of the issuer and its name for the person; it stays when the person is erased. */
export interface OpenIdLinkTable {
  id: Generated<number>
  user_id: number
  issuer: string
  identity_hash: string
  created_at: string
  last_used_at: string | null
}

/** `role`: what the person's groups gave them at their last sign-in; null: the groups took it back. */
export interface OpenIdGrantTable {
  user_id: number
  organization_id: number
  role: Role | null
}
