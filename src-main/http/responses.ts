import type { Logger } from 'pino'
import type { Route } from '#shared/contract/route'
import { DomainError } from '#shared/domain/errors'
import { translate } from '#shared/i18n/translations'
import type { Command } from './command'
import { type Input, type Result, bodyOf } from './endpoint'
import { linkHeader } from './paging'
import { NotAnObject } from './parse-input'
import { type ApiResponse, findPassingFault, messageResponse, toApiResponse } from './refusals'

/** The response to a successful write. */
export async function represent(route: Route, result: Result<Route>): Promise<ApiResponse> {
  const body = await bodyOf(result)
  const { etag, status, headers } = result
  return withKeptBody(route, {
    status: status ?? route.status,
    body,
    headers: { ...headers, ...(etag === undefined ? {} : { etag: `"${etag}"` }) },
  })
}

/** A response together with the body to store for repeats. */
export function withKeptBody({ secret_fields: names }: Route, response: ApiResponse): ApiResponse {
  return names === undefined ? response : { ...response, kept_body: withoutSecrets(response.body, names) }
}

/** The response to a read, with page links; 304 if the caller has it already. */
export async function representRead(command: Command, input: Input<Route>, result: Result<Route>): Promise<ApiResponse> {
  const { etag, next } = result
  const seen = command.seen?.if_none_match ?? result.seen
  if (etag !== undefined && seen !== undefined && matches(seen, etag)) return { status: 304, body: null, headers: { etag: `"${etag}"` } }
  const response = await represent(command.route, result)
  const link = linkHeader(command, input, { body: response.body, next })
  return link === undefined ? response : { ...response, headers: { ...response.headers, link } }
}

function withoutSecrets(body: unknown, names: readonly string[]): unknown {
  return typeof body === 'object' && body !== null ? { ...body, ...Object.fromEntries(names.map((name) => [name, null])) } : body
}

/** Whether a list of entity tags includes this one; weak tags are compared by text, which is allowed for reads. */
export function matches(header: string, etag: string): boolean {
  return header.split(',').some((one) =>
    ['*', etag].includes(
      one
        .trim()
        .replace(/^W\//, '')
        .replace(/^"(.*)"$/, '$1'),
    ),
  )
}

/** The response to a failed command. An unexpected error goes to the log; its response has only the request id. */
export function toErrorResponse(error: unknown, { log, command }: { log: Logger; command: Command }): ApiResponse {
  const { locale, request_id } = command.sender
  const say = (status: number, key: string) => messageResponse(status, translate(locale, `errors:${key}`))
  if (error instanceof DomainError) return toApiResponse(error, locale, command.route.list)
  if (error instanceof NotAnObject) return say(400, 'not_an_object')
  const passing = findPassingFault(error)
  if (passing?.status === 503) log.warn({ err: error, request_id }, 'the database or a bucket could not be reached')
  if (passing) return say(passing.status, passing.key)
  log.error({ err: error, request_id, route: command.route.name }, 'request failed')
  return { status: 500, body: { errors: { message: translate(locale, 'errors:unexpected'), request_id } }, headers: {} }
}
