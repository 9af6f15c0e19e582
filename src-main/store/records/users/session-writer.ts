import type { Row } from '#db/schema'
import { recordActivity } from '../conversations/activity-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

const insertRow = statement<Row<'sessions'>, unknown>((db, p) =>
  db
    .insertInto('sessions')
    .values({
      session_hash: p('session_hash'),
      user_id: p('user_id'),
      api_token_id: p('api_token_id'),
      created_at: p('created_at'),
      expires_at: p('expires_at'),
      door: p('door'),
      user_agent: p('user_agent'),
    }),
)
const deleteRow = statement<{ session_hash: string }, unknown>((db, p) =>
  db.deleteFrom('sessions').where('session_hash', '=', p('session_hash')),
)
const deleteEnded = statement<{ now: string }, unknown>((db, p) => db.deleteFrom('sessions').where('expires_at', '<', p('now')))

/** Stores a new session, and deletes expired ones. */
export async function insertSession(tx: Tx, row: Row<'sessions'>): Promise<void> {
  await tx.run(deleteEnded, { now: tx.now })
  await tx.run(insertRow, row)
}

export async function deleteSession(tx: Tx, session_hash: string): Promise<void> {
  await tx.run(deleteRow, { session_hash })
}

/** Records that a user ended one of their sessions from elsewhere, and its browser if known. */
export async function noteSessionEnd(tx: Tx, { user_id, user_agent }: Row<'sessions'>): Promise<void> {
  tx.signal({ topic: 'browser_sessions', user_id })
  const details = [{ attribute: 'description', from: user_agent, to: null }] as const
  await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: user_id }, event: 'browser_session_ended', details })
}
