import { z } from 'zod'
import { changeBody, createBody, demandedByPut, extension, required } from './attributes'
import { flag, image, requiredText } from './fields'
import { imageEntry, instantText, link, pageOf } from './representations'
import { idParams, listQuery, nothing } from './requests'
import { type ListOptions, route } from './route'

/** The writable attributes of an organization (supplement 2, "Organizations"). */
export const organizationAttributes = {
  name: required(requiredText()),
  restricted_tags: extension(flag),
  logo: extension(image),
} as const

/** An organization (supplement 2). */
export const organizationRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    name: z.string(),
    members_count: z.int(),
    /** Only existing tags may be used. */
    restricted_tags: z.boolean(),
    /** Read-only until renewed. */
    expired: z.boolean(),
    logo: z.array(imageEntry),
    created_at: instantText,
    updated_at: instantText,
    _links: z.array(link),
  })
  .meta({ id: 'Organization' })
export type Organization = z.infer<typeof organizationRepresentation>

/** How organizations are filtered and sorted. */
export const organizationListOptions = {
  attributes: { id: 'integer', name: 'text', created_at: 'instant', updated_at: 'instant' },
} as const satisfies ListOptions

const member = {
  path: '/organizations/:id',
  params: idParams,
  query: nothing,
  response: organizationRepresentation,
  status: 200,
} as const

/** The endpoints of organizations (supplement 2, "Organizations"). */
export const organizationRoutes = {
  list: route({
    name: 'organizations.list',
    action: 'organizations.read',
    method: 'GET',
    path: '/organizations',
    summary: 'List the organizations that the caller is a member of',
    params: nothing,
    query: listQuery,
    body: nothing,
    response: pageOf('organizations', organizationRepresentation),
    status: 200,
    list: organizationListOptions,
  }),
  create: route({
    name: 'organizations.create',
    action: 'organizations.create',
    method: 'POST',
    path: '/organizations',
    summary: 'Create an organization; the caller becomes its admin',
    params: nothing,
    query: nothing,
    body: createBody(organizationAttributes),
    response: organizationRepresentation,
    status: 201,
  }),
  show: route({
    ...member,
    name: 'organizations.show',
    action: 'organizations.read',
    method: 'GET',
    summary: 'Show an organization',
    body: nothing,
  }),
  replace: route({
    ...member,
    name: 'organizations.replace',
    action: 'organizations.update',
    method: 'PUT',
    summary: 'Change all attributes of an organization',
    body: changeBody(organizationAttributes),
    demanded: demandedByPut(organizationAttributes),
  }),
  update: route({
    ...member,
    name: 'organizations.update',
    action: 'organizations.update',
    method: 'PATCH',
    summary: 'Change some attributes of an organization',
    body: changeBody(organizationAttributes),
  }),
  destroy: route({
    ...member,
    name: 'organizations.destroy',
    action: 'organizations.delete',
    method: 'DELETE',
    summary: 'Delete an organization',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
