import { z } from 'zod'
import { scopes } from '#shared/domain/doors/scopes'
import { instant, requiredText } from '../fields'
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
    /** Its scopes; null: everything that its user may do. A remote of an earlier version sends none. */
    scopes: z.array(z.enum(scopes)).nullable().default(null),
    /** When it expires; null: never. */
    expires_at: instantText.nullable().default(null),
  })
  .meta({ id: 'ApiToken' })
/** In the order of all scopes, without repeats. */
const chosenScopes = z
  .array(z.enum(scopes, 'inclusion'), 'invalid')
  .min(1, 'blank')
  .transform((chosen) => scopes.filter((scope) => chosen.includes(scope)))
  .nullable()

export type ApiToken = z.infer<typeof apiTokenRepresentation>

/** The endpoints of the caller's API tokens: "the user's security settings" of contract section 5. */
export const apiTokenRoutes = {
  list: route({
    name: 'api_tokens.list',
    action: 'doors.manage',
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
    action: 'doors.manage',
    method: 'POST',
    path: '/user/tokens',
    summary: 'Create an API token, shown in this answer only',
    params: nothing,
    query: nothing,
    body: z.object({ description: requiredText(), scopes: chosenScopes.optional(), expires_at: instant.nullish() }),
    response: apiTokenRepresentation.extend({ token: z.string().nullable().meta({ description: 'Null in a replayed answer' }) }),
    secret_fields: ['token'],
    status: 201,
  }),
  destroy: route({
    name: 'api_tokens.destroy',
    action: 'doors.manage',
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
