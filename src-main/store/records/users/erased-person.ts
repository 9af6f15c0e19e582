import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { detailsHash } from '../../audit/seal-format'
import { findLastSealed } from '../../audit/seal-reader'
import { eraseDetails } from '../../audit/seal-writer'
import { listedTexts, perDialect } from '../../core/dialect'
import { updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'
import { recordActivity } from '../conversations/activity-writer'
import { reindexExpense } from '../expenses/expense-search'
import { listEmails } from './user-reader'

/**
 * Ends all of a person's ways to sign in: sessions, API tokens (also of programs and replicas), passkeys, recovery codes, mailed codes, push
 * subscriptions and unsent notifications. Open event streams end with their tokens and sessions.
 */
async function endWaysIn(tx: Tx, user_id: number): Promise<void> {
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

type Membership = Row<'memberships'>

const listEver = statement<{ user_id: number }, Membership>((db, p) =>
  db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .selectAll('memberships')
    .where('memberships.user_id', '=', p('user_id'))
    .where('organizations.deleted_at', 'is', null)
    .orderBy('memberships.id'),
)

/** All current and former memberships of a person, in organizations that still exist. */
export function listMembershipsEver(tx: Tx, user_id: number): Promise<Membership[]> {
  return tx.all(listEver, { user_id })
}

/** Replaces a person's names and ends all their ways to sign in. Records, sums and statuses stay. `name`: their new name. */
export async function erasePersonRow(tx: Tx, row: Row<'users'>, name: Pick<Row<'users'>, 'first_name' | 'last_name'>): Promise<void> {
  const { id, avatar_sha256 } = row
  const emails = await listEmails(tx, [id])
  await eraseTrail(
    tx,
    id,
    emails.map(({ email }) => email),
  )
  await endWaysIn(tx, id)
  await forgetNames(tx, id)
  for (const { email } of emails)
    await tx.write('UPDATE received_mails SET sender = NULL, subject = NULL WHERE sender = ? COLLATE NOCASE', [email])
  await replaceAddresses(tx, row, emails)
  if (avatar_sha256 !== null) await tx.write('INSERT INTO erased_pictures (sha256) VALUES (?) ON CONFLICT DO NOTHING', [avatar_sha256])
  const changes = { ...name, mention_name: `erased-${row.uid}`, avatar_sha256: null, deleted_at: tx.now }
  await updateRecord(tx, 'users', { row, changes, scope: { organization_id: null, user_id: id } })
  for (const expense of await tx.writeAll('SELECT id FROM expenses WHERE receiver_id = ?', [id])) reindexExpense(tx, Number(expense.id))
}

/** Records in an organization's trail that a person was erased, without naming them. */
export async function recordErasing(tx: Tx, { organization_id, id, user_id }: Membership): Promise<void> {
  const details = [{ attribute: 'user_id', from: user_id, to: user_id }] as const
  await recordActivity(tx, { organization_id, subject: { type: 'Membership', id }, event: 'organization_erase_person', details })
}

/** Erases the person's names of their tokens and devices, and what concerned them. */
async function forgetNames(tx: Tx, user_id: number): Promise<void> {
  await tx.write(`UPDATE api_tokens SET description = '' WHERE user_id = ?`, [user_id])
  await tx.write(`UPDATE devices SET name = '' WHERE user_id = ?`, [user_id])
  await tx.write('DELETE FROM user_notifications WHERE user_id = ?', [user_id])
  await tx.write(`UPDATE sync_devices SET name = '' WHERE user_id = ?`, [user_id])
}

/** Keeps one address that receives nothing: `.invalid` is not a domain (RFC 2606). */
async function replaceAddresses(tx: Tx, { id, uid }: Row<'users'>, emails: ReadonlyArray<Row<'user_emails'>>): Promise<void> {
  for (const { email } of emails) {
    const placeholder = `erased-${uid}-`
    // The id makes it unique, as a person may have several invitations.
    const changed = `UPDATE invitations SET email = ? || id || '@erased.invalid', version = version + 1, updated_at = ?,
      deleted_at = CASE WHEN accepted_at IS NULL THEN coalesce(deleted_at, ?) ELSE deleted_at END WHERE email = ?`
    await tx.write(changed, [placeholder, tx.now, tx.now, email])
  }
  const kept = emails[0]
  await tx.write('DELETE FROM user_emails WHERE user_id = ? AND id IS DISTINCT FROM ?', [id, kept?.id ?? null])
  // Marked as bounced, so that waiting messages are not sent there.
  await tx.write('UPDATE user_emails SET email = ?, bounced_at = ? WHERE user_id = ?', [`erased-${uid}@erased.invalid`, tx.now, id])
}

const isWithin = perDialect({
  sqlite: sql`instr(lower(details), lower(known.value)) > 0`,
  postgres: sql`strpos(lower(details), lower(known.value)) > 0`,
})

/** Entries about a person's account, and those that name one of their addresses. */
async function listPersonal(tx: Tx, user_id: number, emails: readonly string[]): Promise<Array<{ id: number; details: string }>> {
  const quoted = JSON.stringify(emails.map((email) => JSON.stringify(email)))
  const { rows } = await sql<{ id: number; details: string }>`select id, details from activities where details <> '[]' and (
      (subject_type = 'User' and subject_id = ${user_id}) or (details like '%"attribute":"email"%'
        and exists (select 1 from (${listedTexts(quoted)}) as known where ${isWithin})))`.execute(tx.db)
  return rows.map(({ id, details }) => ({ id: Number(id), details: String(details) }))
}

/** Sealed entries lose their salt with their details; others get a hash with a discarded salt instead. */
async function eraseTrail(tx: Tx, user_id: number, emails: readonly string[]): Promise<void> {
  const sealed = await findLastSealed(tx)
  const found = await listPersonal(tx, user_id, emails)
  const unsealed = found
    .filter(({ id }) => id > sealed)
    .map(({ id, details }) => ({ id, details_hash: detailsHash(details, tx.clock.secret(16)) }))
  await eraseDetails(
    tx,
    found.filter(({ id }) => id <= sealed).map(({ id }) => id),
    unsealed,
  )
}

/** On a replica: erases the addresses of a person whom the remote erased, and the entries that name them. */
export async function forgetAddresses(tx: Tx, user_id: number): Promise<void> {
  const rows = await tx.writeAll('SELECT email FROM user_emails WHERE user_id = ?', [user_id])
  const emails = rows.map(({ email }) => String(email))
  if (emails.length === 0) return
  for (const { id } of await listPersonal(tx, user_id, emails)) await tx.write(`UPDATE activities SET details = '[]' WHERE id = ?`, [id])
  await tx.write('DELETE FROM user_emails WHERE user_id = ?', [user_id])
}
