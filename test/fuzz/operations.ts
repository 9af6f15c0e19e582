import * as fc from 'fast-check'
import { stringify } from 'qs'
import type { Json } from '#test/support/instance'
import { type Sources, resourceOf, toArbitrary } from './arbitrary'

/** One endpoint of the OpenAPI document. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** With places such as `{id}`. */
  readonly path: string
  readonly operation: Json
}

/** A request to be sent. */
export interface FuzzedRequest {
  readonly operation: Operation
  readonly path: string
  readonly body: unknown
}

/** What the fuzzer leaves alone: it would end its own session, or restart the instance. */
const left = [
  'session.destroy',
  'session.create',
  'setup.create',
  'api_tokens.destroy',
  'memberships.leave',
  // No JSON: a stream without an end, and files.
  'sync.pokes',
  'feed.events',
  'sync.blobs.show',
  'sync.blobs.upload',
  'captures.create',
  'imports.create',
  'organizations.destroy',
]

/** Every operation of a document. */
export function everyOperationOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ id: operation.operationId, method: method.toUpperCase(), path, operation })),
  )
}

/** Every operation of a document that the fuzzer sends to. */
export function operationsOf(document: Json): Operation[] {
  return everyOperationOf(document).filter(({ id }) => !left.includes(id))
}

/** The resource of each place in a path: `/expenses/{id}` has one of expenses, `/organizations/{organization_id}` of organizations. */
function placesOf(path: string): string[] {
  const segments = path.split('/')
  return segments.flatMap((segment, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? []
    if (name === undefined) return []
    return [name === 'id' ? collectionOf(segments[index - 1] ?? '') : resourceOf(name)]
  })
}

/** The resource that a segment of a path names; the contract writes some in the singular. */
export function collectionOf(segment: string): string {
  return segment === 'accountability' ? 'accountabilities' : segment === 'members' ? 'users' : segment
}

/** Requests to one operation: paths with ids that are there most of the time, queries and bodies by their schemas. */
export function requestsTo(operation: Operation, sources: Sources): fc.Arbitrary<FuzzedRequest> {
  const { parameters = [], requestBody } = operation.operation
  const path = fc.tuple(
    ...placesOf(operation.path).map((resource) =>
      fc.oneof({ weight: 30, arbitrary: sources.idsOf(resource) }, { weight: 1, arbitrary: fc.integer() }),
    ),
  )
  const query = fc.record(
    Object.fromEntries(
      parameters
        .filter((one: Json) => one.in === 'query')
        .map((one: Json) => [
          one.name,
          one.required && !sources.isWild
            ? toArbitrary(one.schema, sources, one.name)
            : fc.oneof(
                // Of the many filters one now and then: all together they would never find anything.
                { weight: one.name.startsWith('q[') ? 30 : 1, arbitrary: fc.constant(undefined) },
                { weight: 1, arbitrary: toArbitrary(one.schema, sources, one.name) },
              ),
        ]),
    ),
  )
  const schema = requestBody?.content['application/json']?.schema
  const body = schema ? toArbitrary(schema, sources) : fc.constant(undefined)
  return fc.record({ ids: path, query, body }).map(({ ids, query: asked, body: sent }) => {
    let index = 0
    const filled = operation.path.replace(/\{\w+\}/g, () => String(ids[index++] ?? 1))
    // The brackets of an array stand in its name already.
    const given = Object.entries(asked).map(([name, value]) => [name.replace(/\[\]$/, ''), value])
    const text = stringify(Object.fromEntries(given), { arrayFormat: 'brackets', skipNulls: true })
    return { operation, path: text === '' ? filled : `${filled}?${text}`, body: sent }
  })
}
