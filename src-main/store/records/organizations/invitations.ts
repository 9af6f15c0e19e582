import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { Role } from '#shared/domain/roles'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { type Changes, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { recordActivity } from '../conversations/activity-writer'

const findOpenRow = statement<{ organization_id: number; email: string }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('email', '=', p('email'))
    .where('accepted_at', 'is', null)
    .where('deleted_at', 'is', null),
)
const findRow = statement<{ organization_id: number; id: number }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organization_id'))
    .where('accepted_at', 'is', null)
    .where('deleted_at', 'is', null),
)
const findBySecret = statement<{ token_hash: string; now: string }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', p('token_hash'))
    .where('expires_at', '>', p('now'))
    .where('accepted_at', 'is', null)
    .where('deleted_at', 'is', null),
)
const findDue = statement<{ now: string }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .selectAll('invitations')
    .where('invitations.sent_at', 'is', null)
    .where('invitations.accepted_at', 'is', null)
    .where('invitations.deleted_at', 'is', null)
    .where('invitations.expires_at', '>', p('now'))
    .where((where) => where.or([where('invitations.attempts', '=', 0), where('invitations.next_attempt_at', '<=', p('now'))]))
    .where('organizations.deleted_at', 'is', null)
    .where('organizations.expired_at', 'is', null)
    .orderBy('invitations.id')
    .limit(1),
)

/** The open invitation of this address to an organization. */
export function findOpenInvitation(reader: Reader, key: { organization_id: number; email: string }) {
  return reader.first(findOpenRow, key)
}

/** An open invitation of an organization by id. */
export function findInvitation(reader: Reader, key: { organization_id: number; id: number }) {
  return reader.first(findRow, key)
}

/** The open invitation whose secret has this hash, if it can still be accepted. `now` is an ISO instant. */
export function findInvitationBySecret(reader: Reader, key: { token_hash: string; now: string }) {
  return reader.first(findBySecret, key)
}

/** The oldest invitation to send now: untried, or due for a retry; none of a read-only or deleted organization. `now` is an ISO instant. */
export function findInvitationToSend(reader: Reader, now: string) {
  return reader.first(findDue, { now })
}

/** A page of the open invitations of an organization. */
export function listInvitations(
  reader: Reader,
  { organization_id, user_id }: { organization_id: number; user_id: number },
  query: ListQuery,
): Promise<Page<Row<'invitations'>>> {
  const where = () => [sql<SqlBool>`invitations.organization_id = ${organization_id}`, sql<SqlBool>`invitations.accepted_at is null`]
  return readPage(reader, 'invitations', { user_id, within: organization_id, query, where })
}

/** A new invitation. `token_hash`: of the secret that accepts it. `expires_at`: a UTC instant. */
interface NewInvitation {
  readonly organization_id: number
  readonly email: string
  readonly role: Role
  readonly token_hash: string
  readonly expires_at: string
}

/** Stores an invitation to be sent, or renews the open one for this address. */
export async function storeInvitation(tx: Tx, { organization_id, email, ...terms }: NewInvitation): Promise<Row<'invitations'>> {
  const row = await findOpenInvitation(tx, { organization_id, email })
  const unsent = { sent_at: null, attempts: 0, next_attempt_at: null, last_error: null }
  const values = { ...terms, ...unsent, invited_by_user_id: tx.actor.user_id }
  const scope = { organization_id }
  const details = [
    { attribute: 'email', from: row?.email ?? null, to: email },
    { attribute: 'role', from: row?.role ?? null, to: terms.role },
  ] as const
  await recordActivity(tx, { ...subjectOf(organization_id), event: 'organization_invite_member', details })
  return row
    ? updateRecord(tx, 'invitations', { row, changes: values, scope })
    : insertRecord(tx, 'invitations', { values: { ...values, organization_id, email, accepted_at: null }, scope })
}

/** Stores the result of sending or accepting an invitation. The activities belong to the invitation and the new member. */
export async function noteOnInvitation(
  tx: Tx,
  row: Row<'invitations'>,
  changes: Pick<Changes<'invitations'>, 'token_hash' | 'attempts' | 'next_attempt_at' | 'last_error' | 'sent_at' | 'accepted_at'>,
): Promise<Row<'invitations'>> {
  return updateRecord(tx, 'invitations', { row, changes, scope: { organization_id: row.organization_id } })
}

/** Gives an open invitation a secret for the acting user to pass on, and cancels its e-mail. */
export async function linkInvitation(
  tx: Tx,
  row: Row<'invitations'>,
  terms: Pick<NewInvitation, 'token_hash' | 'expires_at'>,
): Promise<Row<'invitations'>> {
  const { organization_id, email } = row
  const unsent = { sent_at: null, attempts: 1, next_attempt_at: null, last_error: null }
  const details = [{ attribute: 'email', from: email, to: email }] as const
  await recordActivity(tx, { ...subjectOf(organization_id), event: 'organization_link_invitation', details })
  const changes = { ...terms, ...unsent, invited_by_user_id: tx.actor.user_id }
  return updateRecord(tx, 'invitations', { row, changes, scope: { organization_id } })
}

/** Withdraws an open invitation. */
export async function deleteInvitation(tx: Tx, row: Row<'invitations'>): Promise<void> {
  const { organization_id, email, role } = row
  await deleteRecord(tx, 'invitations', { row, scope: { organization_id } })
  const details = [
    { attribute: 'email', from: email, to: null },
    { attribute: 'role', from: role, to: null },
  ] as const
  await recordActivity(tx, { ...subjectOf(organization_id), event: 'organization_withdraw_invitation', details })
}

function subjectOf(organization_id: number) {
  return { organization_id, subject: { type: 'Organization', id: organization_id } } as const
}
