import { createHash } from 'node:crypto'
import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import { notFound } from '#shared/domain/errors'
import { deleteSession, insertSession, listSessions, noteSessionEnd, sessionIdOf } from '#main/store/records/users/sessions'
import type { Tx } from '#main/store/core/store'

/** Starts a browser session; returns its secret, of which only a hash is stored. */
export async function startSession(
  tx: Tx,
  { days, ...session }: Pick<Row<'sessions'>, 'user_id' | 'api_token_id' | 'door' | 'user_agent'> & { days: number },
): Promise<string> {
  const secret = tx.clock.secret(32)
  const session_hash = createHash('sha256').update(secret).digest('hex')
  const expires_at = toInstant(new Date(tx.clock.now().getTime() + days * 86_400_000))
  await insertSession(tx, { ...session, session_hash, created_at: tx.now, expires_at })
  return secret
}

/** Ends a browser session. */
export async function endSession(tx: Tx, session_hash: string): Promise<void> {
  await deleteSession(tx, session_hash)
}

function listOwn(tx: Tx): Promise<Row<'sessions'>[]> {
  return listSessions(tx, { user_id: tx.actor.user_id, now: tx.now })
}

/** Ends one of the acting user's browser sessions. Throws {@link DomainError}. */
export async function endOwnSession(tx: Tx, id: string): Promise<void> {
  const session = (await listOwn(tx)).find(({ session_hash }) => sessionIdOf(session_hash) === id)
  if (!session) throw notFound()
  await deleteSession(tx, session.session_hash)
  await noteSessionEnd(tx, session)
}

/** Ends the acting user's browser sessions except one. */
export async function endOtherSessions(tx: Tx, kept_hash: string | null): Promise<void> {
  for (const session of await listOwn(tx)) {
    if (session.session_hash === kept_hash) continue
    await deleteSession(tx, session.session_hash)
    await noteSessionEnd(tx, session)
  }
}
