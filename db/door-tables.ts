import type { Generated } from 'kysely'
import type { Door } from '#shared/domain/doors/doors'

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
