import { z } from 'zod'
import { requiredText } from '../fields'
import { instantText, pageOf } from '../representations'
import { unfiltered } from '../followables'
import { idParams, listQuery, nothing } from '../requests'
import { route } from '../route'

/** One of the caller's API tokens (contract section 5); the token itself is never shown again. */
export const apiTokenRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    description: z.string(),
    created_at: instantText,
    last_used_at: instantText.nullable(),
  })
  .meta({ id: 'ApiToken' })
export type ApiToken = z.infer<typeof apiTokenRepresentation>

/** The endpoints of the caller's API tokens: "the user's security settings" of contract section 5. */
export const apiTokenRoutes = {
  list: route({
    name: 'api_tokens.list',
    action: 'account.manage',
    method: 'GET',
    path: '/user/tokens',
    summary: "List the caller's API tokens",
    params: nothing,
    query: listQuery,
    list: unfiltered,
    body: nothing,
    response: pageOf('tokens', apiTokenRepresentation),
    status: 200,
  }),
  create: route({
    name: 'api_tokens.create',
    action: 'account.manage',
    method: 'POST',
    path: '/user/tokens',
    summary: 'Create an API token, shown in this answer only',
    params: nothing,
    query: nothing,
    body: z.object({ description: requiredText() }),
    response: apiTokenRepresentation.extend({ token: z.string().nullable().meta({ description: 'Null in a replayed answer' }) }),
    secret_fields: ['token'],
    status: 201,
  }),
  destroy: route({
    name: 'api_tokens.destroy',
    action: 'account.manage',
    method: 'DELETE',
    path: '/user/tokens/:id',
    summary: 'Revoke an API token and end the sessions that it began',
    params: idParams,
    query: nothing,
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
