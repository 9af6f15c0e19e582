import type { Row } from '#db/schema'
import { notFound } from '#shared/domain/errors'
import { findOwnApiToken } from '#main/store/records/users/api-token-reader'
import type { Tx } from '#main/store/core/store'
import { revokeApiToken } from '#main/store/records/users/user-writer'

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
