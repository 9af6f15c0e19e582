import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { gzip as gzipOf } from 'node:zlib'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { parse } from 'qs'
import { withAbsoluteLinks } from '#shared/contract/absolute-links'
import { negotiateLanguage, translate } from '#shared/i18n/translations'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import { isOpen } from '#shared/domain/permissions'
import { type Authentication, authenticate, isLocal } from './authentication'
import { sayWhoMayKeep } from './cache-control'
import type { Call, Caller, Endpoint, ServerDeps } from '../endpoint'
import { endpoints } from '../endpoints'
import { registerFiles } from '../files/files'
import { judgeRequest } from './gate'
import { MalformedJson, readJsonBody } from './json-body'
import { registerPageFeed } from '../page-feed'
import { answer, responseUnreadable } from '../pipeline'
import { baseUrlOf, reachedBy, sourceOf } from './reached'
import { type ApiResponse, messageResponse } from '../refusals'
import { Router } from '../router'
import { arrivalLimits, refuseMalformed } from './no-http'
import { registerBlobs } from '../sync/blobs'
import { registerPokes } from '../sync/pokes'
import { send } from './send'
import { registerWebApp } from './web-app'
import { localeOf } from '../call'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No credentials are asked for. */
    isOpen?: boolean
    /** What answers, where it is an endpoint of the API. */
    endpoint?: Endpoint
  }
}

/** The prefix that {base_url} includes (contract section 9). */
export const apiPrefix = '/api/v1'

const gzip = promisify(gzipOf)
const jsonBodyLimit = 1024 * 1024
/** An operation holds a whole request, and what was seen of its record. */
const pushBodyLimit = 8 * 1024 * 1024
const nobody: Caller = { user_id: 0, locale: null, way: 'token', session_hash: null }

/** The HTTP server: it listens, or answers in process. */
export type HttpServer = FastifyInstance

/** Puts the HTTP server together; it listens when told to. */
export async function createHttpServer(deps: ServerDeps): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: jsonBodyLimit,
    forceCloseConnections: 'idle',
    genReqId: (request) => incomingRequestId(request.headers['x-request-id']) ?? deps.clock.uid(),
    frameworkErrors: (error, request, reply) =>
      void send(reply.header('x-request-id', request.id), errorResponse(deps, request, error)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: parseQuery },
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, deps.clock.uid()),
    serverFactory: (handler) =>
      createServer({ requireHostHeader: false, ...arrivalLimits(deps.settings) }, (request, response) => {
        const { port = 0 } = request.socket.address() as { port?: number }
        const { host } = reachedBy(request, deps.settings.trusts)
        const outcome = judgeRequest(request, { hosts: deps.settings.allowed_hosts, port, reached: host })
        if (outcome === 'pass') return handler(request, response)
        const locale = negotiateLanguage(request.headers['accept-language']) ?? 'en'
        const request_id = incomingRequestId(request.headers['x-request-id']) ?? deps.clock.uid()
        const body = JSON.stringify({ errors: { message: translate(locale, `errors:${outcome}`) } })
        response.writeHead(outcome === 'misdirected' ? 421 : 403, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'x-request-id': request_id,
          connection: 'close',
        })
        response.end(body)
      }),
  })
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  await app.register(cookie)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: request_id } = request
    deps.log.info(
      { request_id, method, route: request.routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
    done()
  })
  app.setErrorHandler(async (error, request, reply) => send(reply, await refuse(deps, request, error)))
  const router = new Router(endpoints)
  await app.register((api) => registerApi(api, deps, router), { prefix: apiPrefix })
  await app.register((files) => registerFiles(files, deps))
  await registerWebApp(app, deps)
  return app
}

function parseQuery(text: string): Record<string, unknown> {
  // What is left out here would be a filter that is silently ignored; the size of a request's head limits how much there is.
  return parse(text, { depth: 4, arrayLimit: 5000, parameterLimit: 20_000, allowPrototypes: true })
}

function incomingRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,64}$/.test(header) ? header : undefined
}

/** Who sends a request, once that is known. */
const callers = new WeakMap<FastifyRequest, Caller>()

/** Every endpoint of the API, behind the rules that hold for all of them. */
async function registerApi(api: FastifyInstance, deps: ServerDeps, router: Router): Promise<void> {
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, bytes, done) => {
    try {
      done(null, readJsonBody(headers, Buffer.from(bytes)))
    } catch (error) {
      done(error instanceof Error ? error : new MalformedJson())
    }
  })
  api.addHook('onRequest', async (request, reply) => {
    // Clients name a type, any type, also where they send nothing.
    if (isEmpty(request)) delete request.raw.headers['content-type']
    const refuse = (status: number, key: string, headers = {}) => send(reply, messageResponse(status, say(request, key), headers))
    if (!request.headers['user-agent']?.trim()) return refuse(403, 'user_agent')
    if (isForAnybody(request)) return void callers.set(request, isLocal(deps, request) ? { ...nobody, way: 'local' } : nobody)
    const authentication: Authentication = await authenticate(deps, request)
    if (authentication.kind === 'known') return void callers.set(request, authentication.caller)
    if (authentication.kind === 'throttled') return refuse(429, 'throttled', { 'retry-after': '60' })
    return refuse(401, 'unauthorized', { 'www-authenticate': challengeFor(request) })
  })
  api.addHook('onSend', async (request, reply) => sayWhoMayKeep(reply, callers.get(request)?.way))
  await limitRate(api, deps)
  const served = endpoints.filter(({ route }) => deps.settings.is_syncing || !route.name.startsWith('sync.'))
  for (const endpoint of served.filter((one) => !takesBytes(one))) registerEndpoint(api, deps, endpoint)
  await api.register((raw, _options, done) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, _body, parsed) => parsed(null))
    for (const endpoint of served.filter(takesBytes)) registerEndpoint(raw, deps, endpoint)
    done()
  })
  registerPageFeed(api, deps, { callerOf: (request) => callers.get(request) ?? nobody })
  if (deps.settings.is_syncing) {
    registerPokes(api, deps, { callerOf: (request) => callers.get(request) ?? nobody })
    registerBlobs(api, deps, { callerOf: (request) => callers.get(request) ?? nobody, send })
  }
  const miss = (request: FastifyRequest, reply: FastifyReply) => {
    const match = router.match(request.method, pathOf(request).slice(apiPrefix.length))
    if (match.kind === 'wrong_method')
      return send(reply, messageResponse(405, say(request, 'method'), { allow: match.allow.join(', ') }))
    return send(reply, messageResponse(404, say(request, 'not_found')))
  }
  api.setNotFoundHandler(miss)
  // Else the web application, whose files may have any address, would answer.
  api.get('/*', miss)
}

/** Whether what is sent is no JSON: the handler reads it as it comes, and nothing keeps it before. */
function takesBytes({ route }: Endpoint): boolean {
  return route.media?.request !== undefined
}

function registerEndpoint(api: FastifyInstance, deps: ServerDeps, endpoint: Endpoint): void {
  for (const path of [endpoint.route.path, ...(endpoint.route.aliases ?? [])])
    api.route({
      method: endpoint.route.method,
      url: path,
      bodyLimit: endpoint.route.name === 'sync.push' ? pushBodyLimit : jsonBodyLimit,
      config: { isOpen: isOpen(endpoint.route.action), endpoint },
      handler: async (request, reply) => {
        const call = toCall(deps, { endpoint, request, caller: callers.get(request) ?? nobody })
        return sendPacked(request, reply, withLinks(call, await answer(deps, call)))
      },
    })
}

/** An answer with the addresses by which this caller reaches its places; what is stored of it for a repeat names none. */
function withLinks({ endpoint, base_url }: Call, given: ApiResponse): ApiResponse {
  const isFeed = endpoint.route.name.startsWith('sync.')
  return isFeed ? given : { ...given, body: withAbsoluteLinks(given.body, `${base_url}${apiPrefix}`) }
}

/** Lets each caller make so many requests a minute, where the operator sets a limit (supplement, "Rate limits"). */
async function limitRate(api: FastifyInstance, deps: ServerDeps): Promise<void> {
  const { settings } = deps
  if (settings.rate_limit === 0) return
  await api.register(rateLimit, {
    max: settings.rate_limit,
    timeWindow: '1 minute',
    // After authentication: one user is one caller, wherever they are; unknown callers are distinguished by their network.
    hook: 'preHandler',
    keyGenerator: (request) => {
      const { user_id = 0, way } = callers.get(request) ?? {}
      return user_id === 0 && way !== 'local' ? sourceOf(deps, request) : String(user_id)
    },
  })
}

function isEmpty({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

function isForAnybody(request: FastifyRequest): boolean {
  return request.routeOptions.config.isOpen === true
}

/** A browser that gets a Basic challenge would keep the token and attach it to forged requests. */
function challengeFor({ headers }: FastifyRequest): string {
  const isPage = headers.origin !== undefined || Object.keys(headers).some((name) => name.startsWith('sec-fetch-'))
  return isPage ? 'Session realm="Outlay API"' : 'Basic realm="Outlay API"'
}

function say(request: FastifyRequest, key: string): string {
  const accept_language = request.headers['accept-language']
  return translate(localeOf({ headers: { accept_language }, caller: callers.get(request) ?? nobody }), `errors:${key}`)
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? url
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

function toCall(
  deps: ServerDeps,
  { endpoint, request, caller }: { endpoint: Endpoint; request: FastifyRequest; caller: Caller },
): Call {
  const { headers } = request
  return {
    endpoint,
    caller,
    params: request.params,
    query: request.query,
    body: request.body,
    ...(takesBytes(endpoint) && { content: request.raw, content_bytes: Number(headers['content-length'] ?? 0) }),
    path: pathOf(request),
    base_url: baseUrlOf(deps, request),
    request_id: request.id,
    source: sourceOf(deps, request),
    origin: caller.way === 'token' ? 'api' : 'app',
    headers: {
      if_match: headers['if-match'],
      if_none_match: headers['if-none-match'],
      etag: single(headers.etag),
      idempotency_key: single(headers['idempotency-key']),
      accept_language: headers['accept-language'],
    },
  }
}

/** The response to a request that failed before it became a call; if its body is wrong, missing permission comes first. */
async function refuse(deps: ServerDeps, request: FastifyRequest, error: unknown): Promise<ApiResponse> {
  const refusal = errorResponse(deps, request, error)
  const { endpoint } = request.routeOptions.config
  const caller = callers.get(request)
  if (!endpoint || !caller || ![400, 413, 415].includes(refusal.status)) return refusal
  return responseUnreadable(deps, toCall(deps, { endpoint, request, caller }), refusal)
}

function errorResponse(deps: ServerDeps, request: FastifyRequest, error: unknown): ApiResponse {
  const { statusCode = 500, code = '' } = error instanceof Error ? (error as Error & { statusCode?: number; code?: string }) : {}
  if (statusCode === 414 || statusCode === 403 || code === 'FST_ERR_BAD_URL')
    return messageResponse(404, say(request, 'not_found'))
  if (statusCode === 429) return messageResponse(429, say(request, 'rate_limited'))
  if (statusCode === 413) return messageResponse(413, say(request, 'too_large'))
  if (statusCode === 415) return messageResponse(415, say(request, 'media_type'))
  if (code === 'MALFORMED_JSON' || statusCode === 400) return messageResponse(400, say(request, 'malformed_json'))
  // Whatever else the framework says of a request is the sender's fault, not a failure.
  if (statusCode >= 400 && statusCode < 500) return messageResponse(400, say(request, 'malformed_request'))
  if (isOutOfRoom(error)) return messageResponse(507, say(request, 'out_of_room'))
  deps.log.error({ err: error, request_id: request.id }, 'request failed')
  return { status: 500, body: { errors: { message: say(request, 'unexpected'), request_id: request.id } }, headers: {} }
}

/** Answers of this size and more are packed for replicas, which ask for a lot of them. */
const packedBytes = 1400

/** Writes an answer, packed where it is large and the caller can unpack it; packing leaves the thread to others. */
async function sendPacked(request: FastifyRequest, reply: FastifyReply, answer: ApiResponse): Promise<FastifyReply> {
  const isAsked = pathOf(request).startsWith(`${apiPrefix}/sync/`) && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (!isAsked || answer.body === null) return send(reply, answer)
  const text = JSON.stringify(answer.body)
  if (text.length < packedBytes) return send(reply, answer)
  const packed = await gzip(text, { level: 1 })
  return reply
    .code(answer.status)
    .headers({ ...answer.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' })
    .header('content-type', 'application/json; charset=utf-8')
    .send(packed)
}
