import { DomainError } from '#shared/domain/errors'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import { translate } from '#shared/i18n/translations'
import { BucketUnreachable } from '#main/files/bucket'
import type { Reader, Tx } from '#main/store/core/store'
import { type AccessRequest, assertAccess } from './access'
import { takeFromBucket } from './files/bucket-uploads'
import { actorOf, localeOf } from './call'
import { type Call, type Context, type Facts, type Input, type ServerDeps, type WriteContext, bodyOf } from './endpoint'
import { withIdempotency } from './idempotency'
import { linkHeader } from './paging'
import { NotAnObject, parseInput } from './parse-input'
import { type ApiResponse, messageResponse, toApiResponse } from './refusals'
import type { Route } from '#shared/contract/route'

/** Handles a call: a read from committed data, a write in a transaction. */
export async function answer(deps: ServerDeps, asked: Call): Promise<ApiResponse> {
  const call = await deps.replica.localize(asked)
  const { endpoint } = call
  const forwarded = await deps.replica.forward(call)
  if (forwarded) return forwarded
  if (endpoint.kind === 'query') return refusing(deps, call, () => runQuery(deps, call))
  return refusing(deps, call, async () => answerWrite(deps, await takeFromBucket(deps, call)))
}

function answerWrite(deps: ServerDeps, call: Call): Promise<ApiResponse> {
  if (call.endpoint.kind === 'composite') return call.endpoint.answer(deps, call)
  const actor = actorOf(call)
  return withIdempotency(deps, call, {
    transact: (work) => deps.store.transact(actor, work),
    work: (tx) => runMutation(deps, call, tx),
  })
}

/** Answers a write as one step of a transaction that others share: its failure undoes only itself. */
export async function answerWithin(deps: ServerDeps, asked: Call, tx: Tx): Promise<ApiResponse> {
  if (asked.endpoint.kind !== 'mutation') return messageResponse(405, translate(localeOf(asked), 'errors:method'))
  // An operation names records by the ids that they have here.
  const call = asked.operation ? asked : await deps.replica.localize(asked)
  const own = tx.as(actorOf(call), call.operation?.minter)
  return refusing(deps, call, () =>
    withIdempotency(deps, call, { transact: (work) => own.savepoint(work), work: (inner) => runMutation(deps, call, inner) }),
  )
}

/** Refusals become answers here and nowhere else; what nobody foresaw goes to the log and says only its request id. */
export async function refusing(deps: ServerDeps, call: Call, work: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const locale = localeOf(call)
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError) return toApiResponse(error, locale)
    if (error instanceof NotAnObject) return messageResponse(400, translate(locale, 'errors:not_an_object'))
    if (isOutOfRoom(error)) return messageResponse(507, translate(locale, 'errors:out_of_room'))
    if (error instanceof BucketUnreachable) {
      deps.log.warn({ err: error, request_id: call.request_id }, 'the bucket of uploads could not be read')
      return messageResponse(503, translate(locale, 'errors:bucket_unreachable'))
    }
    deps.log.error({ err: error, request_id: call.request_id, route: call.endpoint.route.name }, 'request failed')
    const message = translate(locale, 'errors:unexpected')
    return { status: 500, body: { errors: { message, request_id: call.request_id } }, headers: {} }
  }
}

function contextOf(deps: ServerDeps, call: Call): Context {
  return {
    reader: deps.store.reader,
    deps,
    caller: call.caller,
    locale: localeOf(call),
    seen_etag: call.headers.etag,
    base_url: call.base_url,
    request_id: call.request_id,
    request_source: call.source,
  }
}

/** What a handler sees inside a transaction. */
export function contextWithin(deps: ServerDeps, call: Call, tx: Tx): WriteContext {
  return { ...contextOf(deps, call), reader: tx, tx }
}

async function runQuery(deps: ServerDeps, call: Call): Promise<ApiResponse> {
  const { endpoint } = call
  if (endpoint.kind !== 'query') throw new Error('A write cannot run outside a transaction.')
  const input = await parseInOrder(deps, call, deps.store.reader)
  const result = await endpoint.handle(contextOf(deps, call), input)
  const seen = call.headers.if_none_match ?? result.seen
  if (result.etag !== undefined && seen !== undefined && matches(seen, result.etag))
    return { status: 304, body: null, headers: { etag: `"${result.etag}"` } }
  const body = await bodyOf(result)
  return finish(endpoint.route, { ...result, body }, linkHeader(call, input, { body, next: result.next }))
}

async function runMutation(deps: ServerDeps, call: Call, tx: Tx): Promise<ApiResponse> {
  const { endpoint } = call
  if (endpoint.kind !== 'mutation') throw new Error('A read has no transaction.')
  const input = await parseInOrder(deps, call, tx)
  const run = (inner: Tx) => endpoint.handle(contextWithin(deps, call, inner), input)
  if (call.operation) return finish(endpoint.route, { ...(await run(tx)), body: null }, undefined)
  const result = await deps.replica.write(call, tx, run)
  return finish(endpoint.route, { ...result, body: await bodyOf(result) }, undefined)
}

/**
 * Reads a request. Only callers who may perform it learn its errors: 404, 402, 403 and 412 come before 400 and
 * 422 (supplement 3, "Order of refusals"). A valid request needs no check here: its handler checks access as it loads.
 */
async function parseInOrder(deps: ServerDeps, call: Call, reader: Reader): Promise<Input<Route>> {
  try {
    return parseInput(call.endpoint.route, call)
  } catch (error) {
    await assertAccess(reader, accessRequestOf(deps, call))
    throw error
  }
}

function accessRequestOf({ imports }: ServerDeps, call: Call): AccessRequest {
  const { endpoint, params, query, body, caller, headers } = call
  return { route: endpoint.route, params, query, body, imports, user_id: caller.user_id, if_match: headers.if_match ?? null }
}

/** Refuses who may not do what a call asks for, before anything of it is read: for what runs outside a transaction. */
export function assertMayCall(deps: ServerDeps, call: Call): Promise<void> {
  return assertAccess(deps.store.reader, accessRequestOf(deps, call))
}

/** The answer to a request whose body cannot even be read: `refusal`, unless something else comes first. */
export async function responseUnreadable(deps: ServerDeps, asked: Call, refusal: ApiResponse): Promise<ApiResponse> {
  const call = await deps.replica.localize(asked)
  return refusing(deps, call, async () => {
    await assertMayCall(deps, call)
    return refusal
  })
}

type Finished = Facts & { readonly body: unknown }

function finish(route: Route, { body, etag, status, headers }: Finished, link: string | undefined): ApiResponse {
  return {
    status: status ?? route.status,
    body,
    ...(route.secret_fields === undefined ? {} : { kept_body: withoutSecrets(body, route.secret_fields) }),
    headers: {
      ...headers,
      ...(etag === undefined ? {} : { etag: `"${etag}"` }),
      ...(link === undefined ? {} : { link }),
    },
  }
}

function withoutSecrets(body: unknown, names: readonly string[]): unknown {
  return typeof body === 'object' && body !== null ? { ...body, ...Object.fromEntries(names.map((name) => [name, null])) } : body
}

/** Whether a list of entity tags names this one; weak ones are compared by their text, as a read may. */
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
