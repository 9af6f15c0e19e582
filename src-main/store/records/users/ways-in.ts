import type { Reader, Tx } from '../../core/store'
import { statement } from '../../core/statement'
import { recordOwnActivity } from './own-activity'
import { listEmails } from './user-reader'

const find = statement<{ user_id: number }, { user_id: number }>((db, p) =>
  db.selectFrom('closed_accounts').select('user_id').where('user_id', '=', p('user_id')),
)
const close = statement<{ user_id: number; closed_at: string }, unknown>((db, p) =>
  db
    .insertInto('closed_accounts')
    .values({ user_id: p('user_id'), closed_at: p('closed_at') })
    .onConflict((conflict) => conflict.column('user_id').doNothing()),
)
const open = statement<{ user_id: number }, unknown>((db, p) =>
  db.deleteFrom('closed_accounts').where('user_id', '=', p('user_id')),
)

/**
 * Ends every way in of a person at once: sessions, API tokens with which programs and replicas came, passkeys, recovery codes, codes that were mailed, push
 * subscriptions and what was still to be sent to them. Open event streams end with their tokens and sessions.
 */
export async function endWaysIn(tx: Tx, user_id: number): Promise<void> {
  await tx.write('DELETE FROM passkeys WHERE user_id = ?', [user_id])
  await tx.write('DELETE FROM recovery_codes WHERE user_id = ?', [user_id])
  await tx.write('DELETE FROM sessions WHERE user_id = ?', [user_id])
  await tx.write('UPDATE api_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE user_id = ?', [tx.now, user_id])
  for (const { email } of await listEmails(tx, [user_id]))
    await tx.write('UPDATE sign_in_codes SET used_at = coalesce(used_at, ?) WHERE email = ?', [tx.now, email.toLowerCase()])
  const silent = 'push_endpoint = NULL, push_p256dh = NULL, push_auth = NULL, deleted_at = coalesce(deleted_at, ?)'
  await tx.write(`UPDATE devices SET ${silent} WHERE user_id = ?`, [tx.now, user_id])
  for (const topic of ['api_tokens', 'browser_sessions', 'passkeys', 'recovery_codes'] as const) tx.signal({ topic, user_id })
}

/** Ends every way in of a person, and lets nothing sign them in until {@link openAccount}. */
export async function closeAccount(tx: Tx, user_id: number): Promise<void> {
  await tx.run(close, { user_id, closed_at: tx.now })
  await endWaysIn(tx, user_id)
  await recordOwnActivity(tx, { user_id, event: 'account_closed', details: [{ attribute: 'user_id', from: user_id, to: null }] })
}

/** Lets a person sign in again, who belongs to an organization now. What was ended stays ended. */
export async function openAccount(tx: Tx, user_id: number): Promise<void> {
  await tx.run(open, { user_id })
}

/** Whether nothing signs a person in. */
export async function isClosed(reader: Reader, user_id: number): Promise<boolean> {
  return (await reader.first(find, { user_id })) !== undefined
}
