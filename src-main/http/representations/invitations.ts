import type { Row } from '#db/schema'
import type { Invitation, InvitationState } from '#shared/contract/invitations'
import { toInstant } from '#shared/domain/dates'
import type { Context } from '../endpoint'
import { loadPeople, toUserParty } from './people'

/** Open invitations, for those who may invite. */
export async function toInvitations(context: Context, rows: ReadonlyArray<Row<'invitations'>>): Promise<Invitation[]> {
  const people = await loadPeople(context, { user_ids: rows.map(({ invited_by_user_id }) => invited_by_user_id) })
  const now = toInstant(context.deps.clock.now())
  return rows.map((row) => {
    const { id, uid, version, email, role, sent_at, last_error, expires_at, created_at, updated_at } = row
    const href = `/organizations/${row.organization_id}/invitations/${id}`
    return {
      id,
      uid,
      version,
      email,
      role,
      invited_by: toUserParty(people, row.invited_by_user_id),
      state: stateOf(row, now),
      sent_at,
      last_error,
      expires_at,
      created_at,
      updated_at,
      _links: [
        { rel: 'destroy', method: 'DELETE', href },
        { rel: 'resend', method: 'POST', href: `${href}/resend` },
        { rel: 'link', method: 'POST', href: `${href}/link` },
      ],
    }
  })
}

/** One invitation. */
export async function toOneInvitation(context: Context, row: Row<'invitations'>): Promise<Invitation> {
  const [invitation] = await toInvitations(context, [row])
  if (!invitation) throw new Error('An invitation has no representation.')
  return invitation
}

function stateOf({ expires_at, sent_at, attempts, next_attempt_at, last_error }: Row<'invitations'>, now: string): InvitationState {
  if (expires_at !== null && expires_at <= now) return 'expired'
  if (sent_at !== null) return 'sent'
  if (attempts === 0 || next_attempt_at !== null) return 'waiting'
  // A failed mail server leaves an error; without a mail server there is none.
  return last_error === null ? 'not_sent' : 'failed'
}
