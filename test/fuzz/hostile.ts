import * as fc from 'fast-check'
import type { Instance, Json } from '#test/support/instance'
import { builtInNames, hostileHeaders, hostileQueries, hostileSegments, hostileValues, spoil, spoilings } from './hostile-values'
import { type Operation, everyOperationOf, requestsTo } from './operations'

/** A request that was answered with a failure, or not at all. */
export interface Failure {
  readonly request: HostileRequest
  readonly what: string
}

/** What a run came to. */
export interface HostileReport {
  readonly sent: number
  readonly failures: readonly Failure[]
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
}

interface HostileRequest {
  readonly as: 'admin' | 'manager' | 'member' | 'stranger' | 'nobody'
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | undefined
}

const together = 8
const batchSize = 256
/** A stream of events has no end, and whoever ends their own token is nobody from then on. */
const withoutEnd = ['sync.pokes', 'feed.events']
const againstOneself = ['api_tokens.destroy', 'memberships.leave', 'organizations.destroy', 'session.destroy']
const prefix = '/api/v1'

/** What is in every place at once is refused at the first of them. */
function sometimes<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

const bodies = fc.oneof(
  { weight: 4, arbitrary: spoilings.map((spoiling) => ({ kind: 'spoiled' as const, spoiling })) },
  { weight: 1, arbitrary: hostileValues.map((value) => ({ kind: 'text' as const, text: JSON.stringify(value) })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('', '{', 'null', '[]', '"x"', '{"a":1}}', '\u0000', `${'['.repeat(500)}${']'.repeat(500)}`, '{"a":1e999}')
      .map((text) => ({ kind: 'text' as const, text })),
  },
)

/** A form as the upload of a file has it, with parts of any name. */
const forms = fc
  .array(fc.tuple(fc.constantFrom('key', 'policy', 'file', 'x-amz-signature', 'Content-Type', ...builtInNames), hostileSegments), {
    maxLength: 6,
  })
  .map((parts) => {
    const part = ([name, text]: readonly [string, string]) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"${name === 'file' ? '; filename="a.pdf"' : ''}\r\n\r\n${text}\r\n`
    return `${parts.map(part).join('')}--x--\r\n`
  })

/** What lies outside the description: files, forms, pages, and parts of files of replicas. */
const others = fc.record({
  path: fc.tuple(fc.constantFrom('/uploads', '/files', '/files/a/thumb', '/assets', '', `${prefix}/sync/blobs`, prefix), hostileSegments),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  query: hostileQueries,
  form: forms,
  isUpload: fc.boolean(),
})

function toRequests(operations: readonly Operation[], idsOf: (resource: string) => fc.Arbitrary<number | null>, components: Json) {
  const sources = { components, idsOf, files: fc.constant('https://example.org/x'), isWild: true }
  const people = fc.constantFrom('admin' as const, 'manager' as const, 'member' as const, 'nobody' as const)
  const known = fc.oneof(
    ...operations.map((operation) =>
      fc
        .record({
          fits: requestsTo(operation, sources),
          body: bodies,
          query: sometimes(hostileQueries),
          segment: sometimes(fc.tuple(fc.nat(5), hostileSegments)),
          headers: sometimes(hostileHeaders).map((headers) => headers ?? {}),
          as: againstOneself.includes(operation.id) ? fc.constant('stranger' as const) : people,
        })
        .map(({ fits, body, query, segment, headers, as }): HostileRequest => {
          const [path = '', asked = ''] = fits.path.split('?')
          const url = `${prefix}${segment ? withSegment(path, segment) : path}?${[asked, query ?? ''].filter(Boolean).join('&')}`
          const isRead = operation.method === 'GET'
          const payload = body.kind === 'text' ? body.text : JSON.stringify(spoil(fits.body ?? {}, body.spoiling))
          return { as, method: operation.method, url, headers, payload: isRead && query ? undefined : payload }
        }),
    ),
  )
  const unknown = fc.tuple(others, people, hostileHeaders).map(([{ path, method, query, form, isUpload }, as, headers]): HostileRequest => {
    if (isUpload)
      return {
        as,
        method: 'POST',
        url: '/uploads',
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
        payload: form,
      }
    const isBare = method === 'GET' || method === 'HEAD'
    return { as, method, url: `${path.join('/')}?${query}`, headers, payload: isBare ? undefined : form }
  })
  return fc.oneof({ weight: 10, arbitrary: known }, { weight: 1, arbitrary: unknown })
}

function withSegment(path: string, [at, text]: readonly [number, string]): string {
  const segments = path.split('/')
  segments[1 + (at % Math.max(1, segments.length - 1))] = text
  return segments.join('/')
}

/**
 * Sends requests whose bodies, queries, headers and paths hold what programs trip over, to every route. All that is asked of an
 * answer is that it comes, and that it is no failure of the server. The same seed sends the same requests.
 */
export async function sendHostile(instance: Instance, { requests, seed }: { requests: number; seed: number }): Promise<HostileReport> {
  const { body: document } = await instance.stranger.api.get('/openapi.json')
  const operations = everyOperationOf(document).filter(({ id }) => !withoutEnd.includes(id))
  const ids = fc.constantFrom(1, 1, 2, 3, null)
  const drawnFrom = toRequests(operations, () => ids, document.components.schemas)
  const failures: Failure[] = []
  const statuses = new Map<number, number>()
  const { server } = instance.app
  const one = async (request: HostileRequest) => {
    const { as, method, url, headers, payload } = request
    const who = as === 'nobody' ? {} : { authorization: `Basic ${Buffer.from(`${instance[as].token}:`).toString('base64')}` }
    const all = { 'user-agent': 'tests', 'content-type': 'application/json', ...who, ...headers }
    // The address is written as it is: a client would make it a proper one.
    const response = await server.inject({ method: method as 'GET', url, headers: all, ...(payload !== undefined && { payload }) })
    statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
    if (response.statusCode >= 500) failures.push({ request, what: `answered ${response.statusCode}: ${response.body.slice(0, 300)}` })
  }
  let sent = 0
  for (let round = 0; sent < requests; round += 1) {
    const drawn = fc.sample(drawnFrom, { numRuns: Math.min(batchSize, requests - sent), seed: seed + round })
    for (let at = 0; at < drawn.length; at += together)
      await Promise.all(
        drawn
          .slice(at, at + together)
          .map((request) => one(request).catch((error: unknown) => void failures.push({ request, what: `no answer: ${String(error)}` }))),
      )
    sent += drawn.length
  }
  return { sent, failures, statuses }
}
