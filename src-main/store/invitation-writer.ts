import type { Row } from '#db/schema'
import type { Role } from '#shared/domain/roles'
import { recordActivity } from './activity-writer'
import { insertRecord, updateRecord } from './record-writer'
import { statement } from './statement'
import type { Tx } from './store'

const findOpen = statement<{ organization_id: number; email: string }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('email', '=', p('email'))
    .where('accepted_at', 'is', null)
    .where('deleted_at', 'is', null),
)

/** Whom to invite as what; `token_hash` is of the secret that accepts it, `expires_at` a UTC instant. */
export interface NewInvitation {
  readonly organization_id: number
  readonly email: string
  readonly role: Role
  readonly token_hash: string
  readonly expires_at: string
}

/** Stores an invitation that is still to be sent; one that is open for this address is made anew. */
export async function storeInvitation(tx: Tx, { organization_id, email, ...terms }: NewInvitation): Promise<Row<'invitations'>> {
  const row = await tx.first(findOpen, { organization_id, email })
  const values = { ...terms, invited_by_user_id: tx.actor.user_id, sent_at: null }
  const scope = { organization_id }
  const details = [
    { attribute: 'email', from: row?.email ?? null, to: email },
    { attribute: 'role', from: row?.role ?? null, to: terms.role },
  ] as const
  recordActivity(tx, {
    organization_id,
    subject: { type: 'Organization', id: organization_id },
    event: 'organization_invite_member',
    details,
  })
  return row
    ? updateRecord(tx, 'invitations', { row, changes: values, scope })
    : insertRecord(tx, 'invitations', { values: { ...values, organization_id, email, accepted_at: null }, scope })
}
