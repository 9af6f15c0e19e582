import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { type OpenSpan, areSpansCollected, beginSpan } from '#main/spans'
import type { SharedNotes } from '#main/store/core/engine'
import { patternOf } from './asked'

/** Throws for a write that ignores `Idempotency-Key`, so that the server does not start. */
export function assertRunsOnce({ method, url, config }: RouteOptions): void {
  const isRead = [method].flat().every((one) => ['GET', 'HEAD', 'OPTIONS'].includes(one))
  if (!isRead && !config?.runsOnce) throw new Error(`${url} does not keep Idempotency-Key`)
}

/** If spans are collected, gives each request one, named by its method and route pattern, without ids. */
export function traceRequests(app: FastifyInstance): void {
  if (!areSpansCollected()) return
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  const run = (request: FastifyRequest, next: () => void) => {
    const span = spans.get(request)
    if (span) span.run(next)
    else next()
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request
    const span = beginSpan(method, { kind: 'server', headers, facts: { 'http.request.method': method } })
    if (span) spans.set(request, span)
    run(request, done)
  })
  // Bodies arrive through events of the connection, which do not carry the request's context.
  app.addHook('preValidation', (request, _reply, done) => run(request, done))
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const route = patternOf(request) ?? 'none'
    const facts = { 'http.route': route, 'http.response.status_code': statusCode }
    spans.get(request)?.end({ name: `${request.method} ${route}`, facts, ...(statusCode >= 500 && { error: 'response' }) })
    done()
  })
}

interface Limit {
  /** Requests per caller and minute. */
  readonly limit: number
  /** Shared counters, for servers on one database. */
  readonly notes: SharedNotes | undefined
  /** The caller for whom a request counts. */
  readonly keyOf: (request: FastifyRequest) => string
}

/** Limits each caller's requests per minute, if the operator sets a limit (supplement, "Rate limits"). */
export async function limitRate(api: FastifyInstance, { limit: max, notes, keyOf: keyGenerator }: Limit): Promise<void> {
  if (max === 0) return
  await api.register(await import('@fastify/rate-limit'), {
    max,
    timeWindow: '1 minute',
    // After authentication: one user is one caller everywhere; unknown callers are distinguished by network.
    hook: 'preHandler',
    keyGenerator,
    ...(notes && { store: storeOf(notes) }),
  })
}

type Counted = (error: Error | null, counted?: { current: number; ttl: number }) => void

/** A store for the rate limiter on shared counters. */
function storeOf(notes: SharedNotes) {
  return class SharedStore {
    incr(key: string, counted: Counted, windowMs: number): void {
      notes.count(`rate ${key}`, windowMs).then(
        ({ count, leftMs }) => counted(null, { current: count, ttl: leftMs }),
        (error: Error) => counted(error),
      )
    }
    child(): SharedStore {
      return this
    }
  }
}

const sweepMs = 25

/**
 * Makes a closing server close every connection without a running request as soon as possible, including those whose last request just ended and idle
 * ones that a browser opened in advance, which Node counts as pending requests.
 */
export function endConnections(app: FastifyInstance): void {
  const { server } = app
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const sweep = () => {
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    if (server.listening) {
      const sweeping = setInterval(sweep, sweepMs)
      server.once('close', () => clearInterval(sweeping))
    }
    done()
  })
}
