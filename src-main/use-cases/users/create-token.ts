import { createHash } from 'node:crypto'
import { insertApiToken } from '#main/store/records/users/user-writer'
import type { Tx } from '#main/store/core/store'

/** Makes an API token for a user (contract section 5); the token itself is returned once and stored only as a hash. */
export async function createToken(
  tx: Tx,
  { user_id, description }: { user_id: number; description: string },
): Promise<{ token_id: number; token: string }> {
  const token = tx.clock.secret(24)
  const token_hash = createHash('sha256').update(token).digest('hex')
  return { token_id: await insertApiToken(tx, { user_id, token_hash, description }), token }
}
