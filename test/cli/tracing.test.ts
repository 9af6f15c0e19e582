import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltFolder, type Served, makeBuiltFolder, serveFolder } from '#test/support/built-program'
import type { Json } from '#test/support/instance'

interface CollectedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** What an OTLP collector over HTTP was sent. */
const spans: CollectedSpan[] = []
const services = new Set<unknown>()
const bodies: string[] = []
const collector = createServer((request, response) => {
  void text(request).then((body) => {
    bodies.push(body)
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      services.add(factsOf(resource.attributes)['service.name'])
      for (const { spans: sent } of scopeSpans) spans.push(...sent.map((span: Json) => ({ ...span, facts: factsOf(span.attributes) })))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
const factsOf = (attributes: Json) => Object.fromEntries(attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]))

let folder: BuiltFolder
let served: Served
beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  folder = await makeBuiltFolder()
  served = await serveFolder(folder, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    ...{ OTEL_SERVICE_NAME: 'outlay-of-acme', OTEL_TRACES_SAMPLER: 'parentbased_always_off', OTEL_BSP_SCHEDULE_DELAY: '50' },
  })
})
afterAll(async () => {
  await served.stop()
  collector.close()
  await folder.remove()
})

test('requests of a caller that traces are sent to the collector, with their transactions and statements, and nothing of people or amounts', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const body = {
    payer: { id: folder.organization_id, type: 'Organization' },
    amount: 8675.31,
    occurred_at: '2026-03-04',
    description: 'Secret dinner',
  }
  const made = await served.api.send('POST', '/expenses', body, { traceparent })
  expect(made.status).toBe(201)
  // The sampler takes what a caller's trace has, and nothing else.
  await served.api.get('/user')
  await expect.poll(() => spans.map(({ name }) => name)).toContain('POST /api/v1/expenses')
  const [request] = spans.filter(({ name }) => name === 'POST /api/v1/expenses')
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', facts: { 'http.route': '/api/v1/expenses' } })
  expect(Number(request?.facts['http.response.status_code'])).toBe(201)
  const [transaction] = spans.filter(({ name }) => name === 'transaction')
  expect(transaction).toMatchObject({ traceId, parentSpanId: request?.spanId })
  const written = spans
    .filter(({ name, parentSpanId }) => name === 'INSERT' && parentSpanId === transaction?.spanId)
    .map(({ facts }) => facts['db.query.text'])
  expect(written).toContainEqual(expect.stringContaining('INSERT INTO expenses'))
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  expect([...services]).toEqual(['outlay-of-acme'])
  for (const word of ['867531', '8675.31', 'Secret', 'ada@', 'Ada', folder.token]) expect(bodies.join().includes(word), word).toBe(false)
})
