import { createHash } from 'node:crypto'
import { toInstant } from '#shared/domain/dates'
import { deleteSession, insertSession } from '#main/store/records/users/session-writer'
import type { Tx } from '#main/store/core/store'

/** Starts a browser session; returns its secret, which is stored only as a hash. */
export async function startSession(
  tx: Tx,
  { user_id, api_token_id, days }: { user_id: number; api_token_id: number | null; days: number },
): Promise<string> {
  const secret = tx.clock.secret(32)
  const session_hash = createHash('sha256').update(secret).digest('hex')
  const expires_at = toInstant(new Date(tx.clock.now().getTime() + days * 86_400_000))
  await insertSession(tx, { session_hash, user_id, api_token_id, created_at: tx.now, expires_at })
  return secret
}

/** Ends a browser session. */
export async function endSession(tx: Tx, session_hash: string): Promise<void> {
  await deleteSession(tx, session_hash)
}
