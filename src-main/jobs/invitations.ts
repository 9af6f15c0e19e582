import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import { languageOf } from '#main/store/records/users/user-language'
import { findInvitation, findInvitationToSend, noteOnInvitation } from '#main/store/records/organizations/invitations'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Actor, Tx } from '#main/store/core/store'
import { findUser } from '#main/store/records/users/user-reader'
import { hashInvitationSecret, toInvitationLink } from '#main/use-cases/invitations/invitations'
import { defaultLanguage } from '#shared/domain/locales'
import { toInvitationMail } from './invitation-mail'
import type { JobDeps } from './job-deps'
import { type Job, type Round, createLoop } from './loop'
import type { MailOutcome } from './mailer'

const firstWaitMs = 60_000
const longestWaitMs = 12 * 60 * 60_000
const mostAttempts = 8
const longestReason = 500

/** An invitation that is being sent: its earlier row, and the secret that only its e-mail has. */
interface Sending {
  readonly invitation: Row<'invitations'>
  readonly secret: string
}

/**
 * Sends invitations (contract 4.10, 6.3). A new secret's hash is stored before the e-mail is sent, so that its link works; an interrupted try is
 * repeated later with another secret.
 */
export function sendInvitations(deps: JobDeps): Job {
  return createLoop(
    { ...deps, name: 'invitations' },
    () => sendNext(deps),
    (error) => deps.log.error({ err: error }, 'sending invitations failed'),
  )
}

async function sendNext(deps: JobDeps): Promise<Round> {
  const due = await findInvitationToSend(deps.store.reader, toInstant(deps.clock.now()))
  // The loop finds rows that become due later, at the latest after its rest.
  if (!due) return { kind: 'later', afterMs: Infinity }
  const sending = await deps.store.transact(actorOf(due), (tx) => begin(tx, due.id))
  if (sending) await send(deps, sending)
  return { kind: 'again' }
}

/** The actor is the inviter. */
function actorOf({ invited_by_user_id: user_id }: Row<'invitations'>): Actor {
  return { user_id, origin: 'mail', request_id: null, if_match: null }
}

/** Counts the try, sets the next one, and gives the invitation its secret. Undefined if it is no longer due. */
async function begin(tx: Tx, id: number): Promise<Sending | undefined> {
  const due = await findInvitationToSend(tx, tx.now)
  if (due?.id !== id) return undefined
  const secret = tx.clock.secret(32)
  const waitMs = Math.min(firstWaitMs * 4 ** due.attempts, longestWaitMs)
  const next_attempt_at = toInstant(new Date(tx.clock.now().getTime() + waitMs))
  const token_hash = hashInvitationSecret(secret)
  return { invitation: await noteOnInvitation(tx, due, { token_hash, attempts: due.attempts + 1, next_attempt_at }), secret }
}

async function send(deps: JobDeps, { invitation, secret }: Sending): Promise<void> {
  const { store, mailer, public_url, log } = deps
  const { organization_id, invited_by_user_id, email, role, expires_at } = invitation
  const organization = await findOrganization(store.reader, organization_id)
  const inviter = await findUser(store.reader, invited_by_user_id)
  if (!organization) return
  const outcome = await mailer.send(
    toInvitationMail({
      to: email,
      organization: organization.name,
      inviter: inviter ? `${inviter.first_name} ${inviter.last_name}`.trim() : organization.name,
      role,
      link: toInvitationLink(public_url(), secret),
      expires_at,
      locale: inviter ? languageOf(inviter) : defaultLanguage,
      timezone: inviter?.timezone ?? 'Etc/UTC',
    }),
  )
  if (outcome.kind === 'bounced' || outcome.kind === 'failed')
    log.warn({ invitation_id: invitation.id, outcome: outcome.kind }, 'an invitation was not sent')
  await store.transact(actorOf(invitation), (tx) => noteOutcome(tx, invitation, outcome))
}

/** Stores the outcome of a try, unless the invitation was withdrawn, accepted or replaced meanwhile. */
async function noteOutcome(tx: Tx, sent: Row<'invitations'>, outcome: MailOutcome): Promise<void> {
  const invitation = await findInvitation(tx, sent)
  if (invitation?.token_hash !== sent.token_hash) return
  if (outcome.kind === 'sent') {
    await noteOnInvitation(tx, invitation, { sent_at: tx.now, next_attempt_at: null, last_error: null })
    return
  }
  if (outcome.kind === 'kept') {
    await noteOnInvitation(tx, invitation, { next_attempt_at: null, last_error: null })
    return
  }
  const isLast = outcome.kind === 'bounced' || invitation.attempts >= mostAttempts
  const last_error = outcome.reason.slice(0, longestReason)
  await noteOnInvitation(tx, invitation, { last_error, ...(isLast ? { next_attempt_at: null } : {}) })
}
