import type { Tx } from '../../core/store'
import { listEmails } from './user-reader'

/**
 * Ends all of a person's ways to sign in: sessions, API tokens (also of programs and replicas), passkeys, recovery codes, mailed codes, push
 * subscriptions and unsent notifications. Open event streams end with their tokens and sessions.
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
