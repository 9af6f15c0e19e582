import { z } from 'zod'
import { roles } from '#shared/domain/roles'
import { membership } from '#shared/records/membership'
import { createBody, required } from './attributes'
import { oneOf, requiredText } from './fields'
import { embeddedOrganization } from './organizations'
import { listedBy, recordShape, writableOf } from './record-attributes'
import { pageOf, userRepresentation } from './representations'
import { listQuery, nothing, organizationParams, pathId } from './requests'
import { type ListOptions, route } from './route'

/** A user's membership in an organization (contract 2.13). */
export const membershipRepresentation = z
  .object({ ...recordShape(membership), user: userRepresentation, organization: embeddedOrganization })
  .meta({ id: 'Membership' })
export type Membership = z.infer<typeof membershipRepresentation>

/** The number of e-mail addresses in an invitation, by result, with the contract's names (4.10). */
export const invitationCounts = z
  .object({ total_recipients: z.string(), not_added_recipients: z.string(), added_recipients: z.string(), invalid_recipients: z.string() })
  .meta({ id: 'InvitationCounts' })

/** How memberships are filtered and sorted. */
export const membershipListOptions = { attributes: listedBy(membership.attributes) } as const satisfies ListOptions

const maxAddresses = 50_000
const addresses = z.string('invalid').max(maxAddresses, `too_long:${maxAddresses}`)

const member = {
  path: '/organizations/:organization_id/members/:user_id',
  params: organizationParams.extend({ user_id: pathId }),
  query: nothing,
  response: membershipRepresentation,
  status: 200,
} as const
const collection = { path: '/organizations/:organization_id/members', params: organizationParams } as const

/** The endpoints of memberships (contract 4.10). */
export const membershipRoutes = {
  list: route({
    ...collection,
    name: 'memberships.list',
    action: 'members.list',
    method: 'GET',
    summary: 'List the members of an organization',
    query: listQuery,
    body: nothing,
    response: pageOf('memberships', membershipRepresentation),
    status: 200,
    list: membershipListOptions,
  }),
  invite: route({
    ...collection,
    name: 'memberships.create',
    action: 'members.invite',
    method: 'POST',
    summary: 'Invite people by their e-mail addresses, separated by commas',
    query: nothing,
    body: z.object({
      user: z.object({ email: addresses.nullable().optional() }, 'invalid').nullable().optional(),
      'user[email]': addresses.optional(),
      role: oneOf(roles).optional(),
    }),
    response: invitationCounts,
    status: 201,
    refused: { 422: invitationCounts },
  }),
  leave: route({
    ...collection,
    name: 'memberships.leave',
    action: 'organizations.leave',
    method: 'DELETE',
    summary: 'Leave an organization',
    query: nothing,
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  show: route({ ...member, name: 'memberships.show', action: 'members.list', method: 'GET', summary: 'Show a member', body: nothing }),
  update: route({
    ...member,
    name: 'memberships.update',
    action: 'members.update',
    method: 'PUT',
    summary: "Change a member's role",
    body: createBody({ ...writableOf(membership.attributes), role: required(requiredText().pipe(oneOf(roles))) }),
  }),
  destroy: route({
    ...member,
    name: 'memberships.destroy',
    action: 'members.remove',
    method: 'DELETE',
    summary: 'Remove a member from an organization',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  erase: route({
    ...member,
    path: '/organizations/:organization_id/members/:user_id/erasure',
    name: 'memberships.erase',
    action: 'members.erase',
    method: 'POST',
    summary: 'Erase the name, addresses and picture of a person for good. `name`: their whole name, as confirmation',
    body: createBody({ name: required(requiredText()) }),
    response: z.null(),
    status: 204,
  }),
}
