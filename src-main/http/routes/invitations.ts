import type { Row } from '#db/schema'
import { type Invitation, type InvitationState, invitationRoutes } from '#shared/contract/invitations'
import { toInstant } from '#shared/domain/dates'
import { DomainError } from '#shared/domain/errors'
import { listInvitations } from '#main/store/records/organizations/invitations'
import { findUser, findUserByEmail } from '#main/store/records/users/user-reader'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { etagOf } from '#main/use-cases/access/preconditions'
import {
  acceptInvitation,
  getOfferedInvitation,
  makeInvitationLink,
  resendInvitation,
  toInvitationLink,
  withdrawInvitation,
} from '#main/use-cases/invitations/invitations'
import { type Context, type Endpoint, type WriteContext, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { loadPeople, nameOf, toUserParty } from '../representations/people'
import { signIn } from '../server/browser-session'

/** Open invitations, for those who may invite. */
async function toInvitations(context: Context, rows: ReadonlyArray<Row<'invitations'>>): Promise<Invitation[]> {
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
async function toOneInvitation(context: Context, row: Row<'invitations'>): Promise<Invitation> {
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

/** The address of a desktop's API when enabled: its window has no address that a browser could open. */
const desktopUrl = 'http://127.0.0.1:4870'

/** Counts a wrong secret as a failed sign-in, so that nobody can guess one; a valid secret is always accepted. */
async function throttling<T>({ deps, source }: Context<'failed_log_ins'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError) || error.refusal.kind !== 'not_found') throw error
    if (await deps.failed_log_ins.isThrottled(source)) throw new DomainError({ kind: 'throttled' })
    await deps.failed_log_ins.note(source)
    throw error
  }
}

/** Open invitations, and what an invited person does with their secret (extensions of the contract). */
export const invitationEndpoints: Endpoint[] = [
  query(invitationRoutes.list, async (context, { params: { organization_id }, list }) => {
    const { reader, caller } = context
    await getVisibleOrganization(reader, { id: organization_id, user_id: caller.user_id, action: 'members.invite' })
    const { rows, frame, next } = toPage(
      list,
      await listInvitations(reader, { organization_id, user_id: caller.user_id }, { ...list, ...windowOf(list) }),
    )
    return { body: { ...frame, invitations: await toInvitations(context, rows) }, next }
  }),
  mutation(invitationRoutes.withdraw, async ({ tx }, { params }) => {
    await withdrawInvitation(tx, params)
    return { body: null }
  }),
  mutation(invitationRoutes.resend, async (context, { params }) => {
    const row = await resendInvitation(context.tx, params)
    return { body: await toOneInvitation(context, row), etag: etagOf(row) }
  }),
  mutation(invitationRoutes.link, async (context, { params }) => {
    const { invitation, secret } = await makeInvitationLink(context.tx, params)
    const { deps, caller, base_url } = context
    const here = caller.way === 'local' ? desktopUrl : base_url
    const link = toInvitationLink(deps.settings.public_url ?? here, secret)
    return {
      body: { ...(await toOneInvitation(context, invitation)), link },
      etag: etagOf(invitation),
      headers: { 'cache-control': 'no-store' },
    }
  }),
  query(invitationRoutes.offer, (context: Context<'failed_log_ins'>, { body: { secret } }) =>
    throttling(context, async () => {
      const { reader, deps } = context
      const { invitation, organization } = await getOfferedInvitation(reader, { secret, now: toInstant(deps.clock.now()) })
      const { email, role, expires_at, invited_by_user_id } = invitation
      const inviter = await findUser(reader, invited_by_user_id)
      return {
        body: {
          organization: { id: organization.id, name: organization.name, expired: organization.expired_at !== null },
          invited_by: { name: inviter ? nameOf(inviter) : '' },
          email,
          role,
          expires_at,
          known: (await findUserByEmail(reader, email)) !== undefined,
        },
      }
    }),
  ),
  mutation(invitationRoutes.accept, (context: WriteContext<'failed_log_ins' | 'instance'>, { body }) =>
    throttling(context, async () => {
      const { user_id, token } = await acceptInvitation(context.tx, body)
      const { body: session, headers } = await signIn(context, { user_id, door: 'invitation' })
      return { body: { ...session, token }, headers: { ...headers, 'cache-control': 'no-store' } }
    }),
  ),
]
