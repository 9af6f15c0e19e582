import type { Row } from '#db/schema'
import type { Role } from '#shared/domain/roles'
import { recordActivity } from '../conversations/activity-writer'
import { findOpenInvitation } from './invitation-reader'
import { type Changes, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

/** A new invitation. `token_hash`: of the secret that accepts it. `expires_at`: a UTC instant. */
export interface NewInvitation {
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
