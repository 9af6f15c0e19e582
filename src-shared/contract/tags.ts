import { z } from 'zod'
import { maxTagName } from '#shared/domain/tags'
import { changeBody, createBody, demandedByPut, extension, required } from './attributes'
import { id, optionalText, requiredText } from './fields'
import { instantText, link, pageOf } from './representations'
import { listQuery, nothing, organizationParams, pathId } from './requests'
import { type ListOptions, route } from './route'

/** The writable attributes of a tag (contract 4.7; `group` of supplement 2, "Tags"). */
export const tagAttributes = {
  name: required(requiredText(maxTagName)),
  group: extension(optionalText(255)),
  restricted_user_ids: extension(z.array(id, 'invalid').max(1000, 'invalid').nullable()),
} as const

/** A tag (contract 2.10). */
export const tagRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    name: z.string(),
    group: z.string().nullable(),
    /** Who may use it; empty: every member. Shown to those who manage tags. */
    restricted_user_ids: z.array(z.int()).optional(),
    /** Whether the caller may use it. */
    usable: z.boolean(),
    created_at: instantText,
    updated_at: instantText,
    _links: z.array(link),
  })
  .meta({ id: 'Tag' })
export type Tag = z.infer<typeof tagRepresentation>

/** How tags are filtered and sorted. */
export const tagListOptions = {
  order: 'created_at',
  attributes: { id: 'integer', name: 'text', created_at: 'instant', updated_at: 'instant' },
} as const satisfies ListOptions

const member = {
  path: '/organizations/:organization_id/tags/:id',
  params: organizationParams.extend({ id: pathId }),
  query: nothing,
  response: tagRepresentation,
  status: 200,
} as const

/** The endpoints of tags (contract 4.7). */
export const tagRoutes = {
  list: route({
    name: 'tags.list',
    action: 'tags.list',
    method: 'GET',
    path: '/organizations/:organization_id/tags',
    summary: "List an organization's tags",
    params: organizationParams,
    query: listQuery,
    body: nothing,
    response: pageOf('tags', tagRepresentation),
    status: 200,
    list: tagListOptions,
  }),
  create: route({
    name: 'tags.create',
    action: 'tags.write',
    method: 'POST',
    path: '/organization/:organization_id/tags',
    aliases: ['/organizations/:organization_id/tags'],
    summary: 'Create a tag',
    params: organizationParams,
    query: nothing,
    body: createBody(tagAttributes),
    response: tagRepresentation,
    status: 201,
  }),
  show: route({ ...member, name: 'tags.show', action: 'tags.show', method: 'GET', summary: 'Show a tag', body: nothing }),
  replace: route({
    ...member,
    name: 'tags.replace',
    action: 'tags.write',
    method: 'PUT',
    summary: 'Change all attributes of a tag',
    body: changeBody(tagAttributes),
    demanded: demandedByPut(tagAttributes),
  }),
  update: route({
    ...member,
    name: 'tags.update',
    action: 'tags.write',
    method: 'PATCH',
    summary: 'Change some attributes of a tag',
    body: changeBody(tagAttributes),
  }),
  destroy: route({
    ...member,
    name: 'tags.destroy',
    action: 'tags.write',
    method: 'DELETE',
    summary: 'Delete a tag',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
