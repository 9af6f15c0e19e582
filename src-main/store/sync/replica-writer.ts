import type { Row } from '#db/schema'
import { logWholeBase } from './pulled-changes'
import { sharedTables } from './undo-triggers'
import type { Tx } from '../core/store'

type User = Pick<Row<'users'>, 'id' | 'uid' | 'first_name' | 'last_name' | 'mention_name' | 'default_currency' | 'locale' | 'timezone'>

/** The tables of an exchange with one remote. */
const exchangeTables = ['sync_journal', 'sync_undo', 'sync_staged', 'sync_blobs', 'id_leases'] as const

/** Tables other than the shared ones that a replica empties: they belong to the remote, or to this device's earlier history. */
const ownTables = [
  ...['notifications', 'notification_preferences', 'devices', 'webhook_deliveries', 'webhooks', 'invitations', 'sessions'],
  ...['passkeys', 'recovery_codes', 'sign_in_challenges', 'openid_links', 'openid_grants'],
  ...['api_tokens', 'idempotency_keys', 'uploads', 'change_log', 'expense_search', 'sync_devices', 'sync_grants', 'sync_operations'],
  ...exchangeTables,
  ...(['id_aliases', 'audit_seals', 'audit_parts'] as const),
] as const

/** Removes all data of an instance except its settings, its files' rows and its offers. It must already be a replica. */
export async function clearInstance(tx: Tx): Promise<void> {
  await tx.write('PRAGMA defer_foreign_keys = ON', [])
  for (const table of [...ownTables, ...[...sharedTables].reverse()]) await tx.write(`DELETE FROM ${table}`, [])
  await tx.write('PRAGMA defer_foreign_keys = OFF', [])
  logWholeBase(tx)
}

/** Deletes what was waiting for a remote that no longer exists; its local effects stay. */
export async function forgetExchange(tx: Tx): Promise<void> {
  for (const table of exchangeTables) await tx.write(`DELETE FROM ${table}`, [])
}

/** Stores the user of a replica, before the first exchange brings users. */
export async function insertReplicaUser(tx: Tx, user: User): Promise<void> {
  const row = { ...user, created_at: tx.now, updated_at: tx.now }
  const columns = Object.keys(row)
  await tx.write(`INSERT INTO users (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, Object.values(row))
}

/** Lets a token that the remote knows sign in here, too. */
export async function keepRemoteToken(tx: Tx, { user_id, token_hash }: { user_id: number; token_hash: string }): Promise<void> {
  await tx.write('UPDATE api_tokens SET revoked_at = ? WHERE user_id = ? AND description = ? AND token_hash <> ? AND revoked_at IS NULL', [
    tx.now,
    user_id,
    remoteTokenName,
    token_hash,
  ])
  await tx.write(
    `INSERT INTO api_tokens (uid, user_id, token_hash, description, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (token_hash) DO UPDATE SET revoked_at = NULL`,
    [tx.clock.uid(), user_id, token_hash, remoteTokenName, tx.now],
  )
}

const remoteTokenName = 'Remote'
