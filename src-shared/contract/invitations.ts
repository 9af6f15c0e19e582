import { z } from 'zod'
import { languages } from '#shared/domain/locales'
import { currency, oneOf, requiredText } from './fields'
import { sessionRepresentation } from './instance/instance'
import { instantText, link, pageOf, partyObject, role } from './representations'
import { idParams, listQuery, nothing, organizationParams } from './requests'
import { type ListOptions, route } from './route'

/**
 * The state of an invitation: to be sent, sent, not sent because its link is passed on by hand (no mail server, or a link was made), given up because
 * no mail server accepts it, or expired.
 */
export const invitationStates = ['waiting', 'sent', 'not_sent', 'failed', 'expired'] as const
export type InvitationState = (typeof invitationStates)[number]

/** An open invitation, for those who may invite. Its secret is only in its e-mail or link. */
export const invitationRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    email: z.string(),
    role,
    invited_by: partyObject,
    state: z.enum(invitationStates),
    sent_at: instantText.nullable(),
    last_error: z.string().nullable().meta({ description: 'What the mail server answered to the last try' }),
    expires_at: instantText.nullable(),
    created_at: instantText,
    updated_at: instantText,
    _links: z.array(link),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof invitationRepresentation>

/** What an invited person may accept. */
export const offeredInvitation = z
  .object({
    organization: z.object({ id: z.int(), name: z.string(), expired: z.boolean() }),
    invited_by: z.object({ name: z.string() }),
    email: z.string(),
    role,
    expires_at: instantText.nullable(),
    known: z.boolean().meta({ description: 'Whether there is a user with this address, who then needs no name' }),
  })
  .meta({ id: 'OfferedInvitation' })
export type OfferedInvitation = z.infer<typeof offeredInvitation>

/** How invitations are filtered and sorted. */
export const invitationListOptions = {
  attributes: { id: 'integer', email: 'text', role: 'text', sent_at: 'instant', created_at: 'instant', updated_at: 'instant' },
} as const satisfies ListOptions

const secret = requiredText(500)
const name = requiredText().optional()
const one = { params: organizationParams.extend(idParams.shape), query: nothing, action: 'members.invite' } as const

/** Inviting people who have no account yet (contract 4.10, 6.3: "processed asynchronously"; extensions). */
export const invitationRoutes = {
  list: route({
    name: 'invitations.list',
    method: 'GET',
    path: '/organizations/:organization_id/invitations',
    summary: 'List the open invitations of an organization',
    params: organizationParams,
    query: listQuery,
    body: nothing,
    response: pageOf('invitations', invitationRepresentation),
    status: 200,
    list: invitationListOptions,
    action: 'members.invite',
  }),
  withdraw: route({
    ...one,
    name: 'invitations.destroy',
    method: 'DELETE',
    path: '/organizations/:organization_id/invitations/:id',
    summary: 'Withdraw an invitation',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  resend: route({
    ...one,
    name: 'invitations.resend',
    method: 'POST',
    path: '/organizations/:organization_id/invitations/:id/resend',
    summary: 'Send an invitation again, with a new secret in place of the old one',
    body: nothing,
    response: invitationRepresentation,
    status: 200,
  }),
  link: route({
    ...one,
    name: 'invitations.link',
    method: 'POST',
    path: '/organizations/:organization_id/invitations/:id/link',
    summary: 'Make a link that accepts an invitation, with a new secret in place of the old one',
    body: nothing,
    response: invitationRepresentation.extend({
      link: z.string().nullable().meta({ description: 'Where the invitation is accepted; null in a replayed answer' }),
    }),
    secret_fields: ['link'],
    status: 200,
  }),
  offer: route({
    name: 'invitation.show',
    method: 'POST',
    path: '/invitation',
    summary: 'Show the invitation that a secret accepts',
    params: nothing,
    query: nothing,
    body: z.object({ secret }),
    response: offeredInvitation,
    status: 200,
    action: 'invitations.accept',
  }),
  accept: route({
    name: 'invitation.accept',
    method: 'POST',
    path: '/invitation/accept',
    summary: 'Join the organization that a secret invites to, and begin a browser session',
    params: nothing,
    query: nothing,
    body: z.object({
      secret,
      name,
      first_name: name,
      last_name: name,
      locale: oneOf(languages).optional(),
      timezone: requiredText().optional(),
      default_currency: currency.optional(),
    }),
    response: sessionRepresentation.extend({
      token: z.string().nullable().meta({ description: 'An API token to come back with, for who has just become a user' }),
    }),
    secret_fields: ['token'],
    status: 201,
    action: 'invitations.accept',
  }),
}
