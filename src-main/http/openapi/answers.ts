import type { z } from 'zod'
import type { Route } from '#shared/contract/route'
import { type Json, toSchema } from './json-schema'

const errorBody = { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } }

/** Every error response of the API, by status (contract section 7, supplement section 1). */
export const refusals: Readonly<Record<string, Json>> = {
  304: { description: 'What the caller has (`If-None-Match`) is still what there is. The body is empty.' },
  400: { description: 'The body is not valid JSON in UTF-8, not a JSON object, or the `Idempotency-Key` is too long.', content: errorBody },
  401: { description: 'The credentials are missing or wrong.', content: errorBody },
  402: {
    description: 'The organization is expired and read-only, or the expenses of an accountability are changed while it is not opened.',
    content: errorBody,
  },
  403: { description: 'The caller may see this but not do it; or the request carries no `User-Agent`.', content: errorBody },
  404: { description: 'There is no such record, or none that the caller may see.', content: errorBody },
  409: { description: 'The first request with this `Idempotency-Key` is still running.', content: errorBody },
  410: { description: 'What the comment belongs to is deleted. The body is empty.' },
  412: { description: 'The record has changed since the caller saw it (`If-Match`).', content: errorBody },
  413: { description: 'The body is larger than 1 MiB.', content: errorBody },
  415: { description: 'The body is not JSON, is packed (`Content-Encoding`), or in another charset than UTF-8.', content: errorBody },
  422: { description: 'What was sent cannot be stored; the texts stand under the names of the attributes.', content: errorBody },
  429: { description: 'Too many failed sign-ins; `Retry-After` says when to come back.', content: errorBody },
  431: { description: 'The address and the headers are larger than 16 KiB together.', content: errorBody },
  503: { description: 'What has to be read elsewhere for this cannot be reached now; nothing was changed.', content: errorBody },
  507: { description: 'The disk is full or cannot be written to; nothing was changed.', content: errorBody },
  500: { description: 'Something nobody foresaw; `request_id` finds it in the log.', content: errorBody },
}

/** The body of every error response (contract section 7). */
export const errorsSchema: Json = {
  type: 'object',
  description: 'Either `errors`, with a text under `message` or texts under the names of attributes, or one `error`.',
  properties: {
    errors: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } },
    error: { type: 'string' },
  },
}

function statusesOf(route: Route): number[] {
  const isRead = route.method === 'GET'
  const isUnderParent = /^\/\w+\/:\w+_id\/comments/.test(route.path)
  return [
    ...(isRead ? [304] : [402, 409, 412, 415, 503, 507]),
    ...[400, 401, 403, 404, 413, 422, 429, 431, 500],
    ...(isUnderParent ? [410] : []),
  ].sort((a, b) => a - b)
}

/** A route's error responses, by reference unless their body is special. */
export function refusalsOf(route: Route): Json {
  const own = Object.entries<z.ZodType>(route.refused ?? {}).map(([status, schema]): [number, Json] => {
    const anyOf = [{ $ref: '#/components/schemas/Errors' }, toSchema(schema, 'output')]
    return [Number(status), { ...refusals[status], content: { 'application/json': { schema: { anyOf } } } }]
  })
  const usual = statusesOf(route).map((status): [number, Json] => [status, { $ref: `#/components/responses/${status}` }])
  return Object.fromEntries<Json>([...usual, ...own])
}

/** The headers of a success: the record's entity tag, and links to pages. */
export function headersOf(route: Route): Json {
  const isPaged = route.list !== undefined
  const isRecord = /\/:\w+$/.test(route.path) && route.status === 200
  return {
    'X-Request-Id': { schema: { type: 'string' }, description: 'Names this request in the log.' },
    ...(isRecord ? { ETag: { schema: { type: 'string' }, description: 'The version of the record, for `If-Match`.' } } : {}),
    ...(isPaged ? { Link: { schema: { type: 'string' }, description: 'The pages around this one (RFC 8288).' } } : {}),
  }
}
