import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

const insertRow = statement<Row<'sessions'>, unknown>((db, p) =>
  db.insertInto('sessions').values({
    session_hash: p('session_hash'),
    user_id: p('user_id'),
    api_token_id: p('api_token_id'),
    created_at: p('created_at'),
    expires_at: p('expires_at'),
  }),
)
const deleteRow = statement<{ session_hash: string }, unknown>((db, p) =>
  db.deleteFrom('sessions').where('session_hash', '=', p('session_hash')),
)
const deleteEnded = statement<{ now: string }, unknown>((db, p) => db.deleteFrom('sessions').where('expires_at', '<', p('now')))

/** Keeps a new session, and forgets those that have ended. */
export async function insertSession(tx: Tx, row: Row<'sessions'>): Promise<void> {
  await tx.run(deleteEnded, { now: tx.now })
  await tx.run(insertRow, row)
}

export async function deleteSession(tx: Tx, session_hash: string): Promise<void> {
  await tx.run(deleteRow, { session_hash })
}
