import { promisify } from 'node:util'
import { gzip as gzipOf } from 'node:zlib'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { parse } from 'qs'
import { createServer } from '#main/node-http'
import type { Route } from '#shared/contract/route'
import { withAbsoluteLinks } from '#shared/contract/absolute-links'
import { syncRoutes } from '#shared/contract/sync'
import { negotiateLanguage, translate } from '#shared/i18n/translations'
import type { Language } from '#shared/domain/locales'
import { isOpen } from '#shared/domain/permissions'
import { apiPrefix, askedOf, noteAsked, patternOf } from './asked'
import { assertRunsOnce, endConnections, limitRate, traceRequests } from './server-hooks'
import { type Authentication, authenticate, cookieAt, isLocal } from './authentication'
import { sayWhoMayKeep, send } from './send'
import type { Caller, Command } from '../command'
import type { ServerDeps } from '../endpoint'
import { type Watch, answerProbe } from '#main/monitoring/health'
import { registerFiles } from '../files/files'
import { judgeRequest } from './gate'
import { MalformedJson, readJsonBody } from './json-body'
import { registerPageFeed } from '../page-feed'
import { run } from '../pipeline'
import { type Found, Router } from '../requests'
import { baseUrlOf, isThisComputer, reachedBy, sourceOf } from './reached'
import { type ApiResponse, findPassingFault, messageResponse } from '../refusals'
import { arrivalLimits, refuseMalformed } from './no-http'
import { registerBlobs } from '../sync/blobs'
import { registerPokes } from '../sync/pokes'
import { registerWebApp } from './web-app'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Handles `Idempotency-Key`, as every write must: with `runOnce`, or in the pipeline of the API. */
    runsOnce?: true
  }
}

const gzip = promisify(gzipOf)
const jsonBodyLimit = 1024 * 1024
/** An operation contains a whole request and the seen state of its record. */
const pushBodyLimit = 8 * 1024 * 1024
const nobody: Caller = { user_id: 0, locale: null, way: 'token', session_hash: null, scopes: null, ends_at: null, token_ends_at: null }

/** The contract's shapes parse and write bodies, so Fastify's schema compilers are never loaded. */
const refuseSchema = (): never => {
  throw new Error('A route of this server has no schema of Fastify')
}

/** The HTTP server; it listens, or responds in process. */
export type HttpServer = FastifyInstance

/** Makes the HTTP server; the caller starts listening. */
export async function createHttpServer(deps: ServerDeps, { health, metrics }: Watch): Promise<FastifyInstance> {
  const app = Fastify({
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    bodyLimit: jsonBodyLimit,
    forceCloseConnections: 'idle',
    genReqId: (request) => incomingRequestId(request.headers['x-request-id']) ?? deps.clock.uid(),
    frameworkErrors: (error, request, reply) => void send(reply.header('x-request-id', request.id), errorResponse(deps, request, error)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: parseQuery },
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, deps.clock.uid()),
    serverFactory: (handler) =>
      createServer({ requireHostHeader: false, ...arrivalLimits(deps.settings) }, (request, response) => {
        if (answerProbe(health, request, response)) return
        const { host } = reachedBy(request, deps.settings.trusts)
        const outcome = judgeRequest(request, { hosts: deps.settings.allowed_hosts, reached: host })
        if (outcome === 'pass') return deps.store.asRequest(() => handler(request, response))
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
  traceRequests(app.addHttpMethod('GET', { hasBody: true, overrideExisting: true }).addHook('onRoute', assertRunsOnce))
  endConnections(app)
  await app.register(cookie)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
  app.addHook('preClose', async () => deps.statements.close())
  app.addHook('onResponse', (request, reply, done) => {
    const answered = { method: request.method, route: patternOf(request), status: reply.statusCode }
    deps.log.info({ request_id: request.id, ...answered, ms: Math.round(reply.elapsedTime) }, 'request')
    metrics?.noteRequest({ ...answered, ms: reply.elapsedTime })
    done()
  })
  app.setErrorHandler(async (error, request, reply) => send(reply, await refuse(deps, request, error)))
  await app.register((api) => registerApi(api, { ...deps, metrics }), { prefix: apiPrefix })
  await app.register((files) => registerFiles(files, deps))
  await registerWebApp(app, deps)
  return app
}

function parseQuery(text: string): Record<string, unknown> {
  // Parameters beyond these limits would be filters that are silently ignored; the limit on a request's head bounds them.
  return parse(text, { depth: 4, arrayLimit: 5000, parameterLimit: 20_000, allowPrototypes: true })
}

function incomingRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,64}$/.test(header) ? header : undefined
}

/** The caller of each request, once known. */
const callers = new WeakMap<FastifyRequest, Caller>()

/** Registers every endpoint of the API, and the rules for all of them. */
async function registerApi(api: FastifyInstance, deps: ServerDeps & Pick<Watch, 'metrics'>): Promise<void> {
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, bytes, done) => {
    try {
      done(null, readJsonBody(headers, Buffer.from(bytes)))
    } catch (error) {
      done(error instanceof Error ? error : new MalformedJson())
    }
  })
  const router = deps.settings.is_syncing ? deps.api.router : new Router(deps.api.routes.filter(({ name }) => !name.startsWith('sync.')))
  const find = (request: FastifyRequest) =>
    router.find(request.method === 'HEAD' ? 'GET' : request.method, pathOf(request).slice(apiPrefix.length))
  api.addHook('onRequest', async (request, reply) => {
    const found = find(request)
    if (!('kind' in found)) noteAsked(request, found)
    // Clients send a content type even without a body.
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
  await limitRate(api, { limit: deps.settings.rate_limit, notes: deps.store.peers?.notes, keyOf: (request) => countedFor(deps, request) })
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = askedOf(request)
    if (!found) return miss(request, reply)
    const command = toCommand(deps, request, found)
    const response = withLinks(command, await run(deps, command))
    return isPacked(deps, request) ? sendPacked(reply, response) : send(reply, response)
  }
  // Our router finds the endpoint: giving the framework's each of some 300 takes a fifth of the start.
  const config = { runsOnce: true as const }
  api.route({ method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '/*', config, handler: answer })
  if (deps.settings.is_syncing) api.route({ method: 'POST', url: syncRoutes.push.path, bodyLimit: pushBodyLimit, config, handler: answer })
  await api.register((raw, _options, done) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, _body, parsed) => parsed(null))
    for (const { method, path: url } of deps.api.routes.filter(takesBytes)) raw.route({ method, url, config, handler: answer })
    done()
  })
  registerPageFeed(api, deps, { callerOf: (request) => callers.get(request) ?? nobody })
  if (deps.settings.is_syncing) {
    registerPokes(api, deps, { callerOf: (request) => callers.get(request) ?? nobody })
    registerBlobs(api, deps, { callerOf: (request) => callers.get(request) ?? nobody, send })
  }
  const miss = (request: FastifyRequest, reply: FastifyReply) => {
    const match = find(request)
    if ('kind' in match && match.kind === 'wrong_method')
      return send(reply, messageResponse(405, say(request, 'method'), { allow: match.allow.join(', ') }))
    return send(reply, messageResponse(404, say(request, 'not_found')))
  }
  api.setNotFoundHandler(miss)
}

/** Whether a route's content is not JSON: the handler reads it as it arrives. */
function takesBytes({ media }: Route): boolean {
  return media?.request !== undefined
}

/** Adds the addresses for this caller; stored responses have none. */
function withLinks({ route, sender }: Command, given: ApiResponse): ApiResponse {
  const isFeed = route.name.startsWith('sync.')
  return isFeed ? given : { ...given, body: withAbsoluteLinks(given.body, `${sender.base_url}${apiPrefix}`) }
}

/** Whom a request counts for: one user is one caller; unknown callers are distinguished by network. */
function countedFor(deps: ServerDeps, request: FastifyRequest): string {
  const { user_id = 0, way } = callers.get(request) ?? {}
  return user_id === 0 && way !== 'local' ? sourceOf(deps, request) : String(user_id)
}

function isEmpty({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

function isForAnybody(request: FastifyRequest): boolean {
  const found = askedOf(request)
  return found !== undefined && isOpen(found.route.action)
}

/** After a Basic challenge a browser would store the token and attach it to forged requests. */
function challengeFor({ headers }: FastifyRequest): string {
  const isPage = headers.origin !== undefined || Object.keys(headers).some((name) => name.startsWith('sec-fetch-'))
  return isPage ? 'Session realm="Outlay API"' : 'Basic realm="Outlay API"'
}

function say(request: FastifyRequest, key: string): string {
  return translate(localeOf(request, callers.get(request)), `errors:${key}`)
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? url
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

/** A response's language: from the header, then the user's choice, then English (contract 4.17). */
function localeOf({ headers }: FastifyRequest, caller: Caller | undefined): Language {
  return negotiateLanguage(headers['accept-language']) ?? caller?.locale ?? 'en'
}

function toCommand(deps: ServerDeps, request: FastifyRequest, { route, params }: Found): Command {
  const { headers, query, body, raw } = request
  const base_url = baseUrlOf(deps, request)
  const caller = callers.get(request) ?? nobody
  return {
    route,
    params,
    query,
    body,
    ...(takesBytes(route) && { content: { stream: raw, bytes: Number(headers['content-length'] ?? 0) } }),
    sender: {
      caller,
      locale: localeOf(request, caller),
      origin: caller.way === 'token' ? 'api' : 'app',
      request_id: request.id,
      base_url,
      source: sourceOf(deps, request),
      user_agent: headers['user-agent'],
      openid_secret: request.cookies[cookieAt(base_url, 'openid')],
    },
    address: pathOf(request),
    if_match: headers['if-match'],
    key: single(headers['idempotency-key']),
    seen: { if_none_match: headers['if-none-match'], etag: single(headers.etag) },
  }
}

/** The response to a request that failed before it became a command. If its body is invalid, missing permission comes first. */
async function refuse(deps: ServerDeps, request: FastifyRequest, error: unknown): Promise<ApiResponse> {
  const unread = errorResponse(deps, request, error)
  const found = askedOf(request)
  if (!found || !callers.has(request) || ![400, 413, 415].includes(unread.status)) return unread
  return run(deps, toCommand(deps, request, found), { unread })
}

function errorResponse(deps: ServerDeps, request: FastifyRequest, error: unknown): ApiResponse {
  const { statusCode = 500, code = '' } = error instanceof Error ? (error as Error & { statusCode?: number; code?: string }) : {}
  if (statusCode === 414 || statusCode === 403 || code === 'FST_ERR_BAD_URL') return messageResponse(404, say(request, 'not_found'))
  const named = { 413: 'too_large', 415: 'media_type', 429: 'rate_limited' }[statusCode]
  if (named !== undefined) return messageResponse(statusCode, say(request, named))
  if (code === 'MALFORMED_JSON' || statusCode === 400) return messageResponse(400, say(request, 'malformed_json'))
  // Other errors of the framework about a request are the sender's fault.
  if (statusCode >= 400 && statusCode < 500) return messageResponse(400, say(request, 'malformed_request'))
  const passing = findPassingFault(error)
  if (passing) return messageResponse(passing.status, say(request, passing.key))
  deps.log.error({ err: error, request_id: request.id }, 'request failed')
  return { status: 500, body: { errors: { message: say(request, 'unexpected'), request_id: request.id } }, headers: {} }
}

/** Responses of at least this size are compressed. */
const packedBytes = 1400

/** Whether a response is compressed if it is large. Not for a page on this computer: compressing takes longer than sending there. */
function isPacked(deps: Pick<ServerDeps, 'settings'>, request: FastifyRequest): boolean {
  const isFar = pathOf(request).startsWith(`${apiPrefix}/sync/`) || !isThisComputer(sourceOf(deps, request))
  return isFar && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
}

/** Sends a response, compressed if it is large; compressing does not block the thread. */
async function sendPacked(reply: FastifyReply, answer: ApiResponse): Promise<FastifyReply> {
  if (answer.body === null) return send(reply, answer)
  const text = JSON.stringify(answer.body)
  if (text.length < packedBytes) return send(reply, answer)
  const packed = await gzip(text, { level: 1 })
  return reply
    .code(answer.status)
    .headers({ ...answer.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' })
    .header('content-type', 'application/json; charset=utf-8')
    .send(packed)
}
