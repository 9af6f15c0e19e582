import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OpenSpan, areSpansCollected, beginSpan } from '#main/spans'

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
    const route = request.routeOptions.url ?? 'none'
    const facts = { 'http.route': route, 'http.response.status_code': statusCode }
    spans.get(request)?.end({ name: `${request.method} ${route}`, facts, ...(statusCode >= 500 && { error: 'response' }) })
    done()
  })
}
