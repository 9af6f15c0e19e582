import * as fc from 'fast-check'
import type { ApiResponse, Instance, Json, Person } from '#test/support/instance'
import { pngFile } from '#test/support/sample-files'
import { uploadFile } from '#test/support/upload'
import { createJudge } from './judge'
import { type FuzzedRequest, type Operation, collectionOf, operationsOf, requestsTo } from './operations'

/** An answer that should not have come, and how to send its request again. */
export interface Finding {
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown; readonly as: string }
  readonly what: string
  readonly answer: unknown
}

/** What a run of the fuzzer saw. */
export interface FuzzReport {
  readonly sent: number
  readonly findings: readonly Finding[]
  /** How often each operation answered with each status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>
}

const together = 8
const batchSize = 64

/** Ids that answers named, by resource, are asked for again: what was made is what is changed, moved and deleted next. */
class KnownIds {
  readonly #ids = new Map<string, number[]>()
  constructor(first: Readonly<Record<string, readonly number[]>>) {
    for (const [resource, ids] of Object.entries(first)) this.#ids.set(resource, [...ids])
  }
  readonly of = (resource: string) =>
    fc.nat().map((at) => {
      const ids = this.#ids.get(resource) ?? []
      return ids[at % ids.length] ?? null
    })
  /** Of a resource the first and the last are kept. Organizations stay as they are: in the first one there are people of every role. */
  learn(resource: string, body: unknown): void {
    if (resource === 'organizations') return
    if (typeof body !== 'object' || body === null || !('id' in body) || typeof body.id !== 'number') return
    const ids = this.#ids.get(resource) ?? []
    this.#ids.set(resource, ids.length > 60 ? [...ids.slice(0, 20), ...ids.slice(-30), body.id] : [...ids, body.id])
  }
}

const copies = 20

/** Locations of files that the managers uploaded, for attachments and pictures. */
async function uploadFiles({ admin, manager }: Instance): Promise<string[]> {
  const file = await pngFile()
  return Promise.all([admin, manager].flatMap((person) => Array.from({ length: copies }, () => uploadFile(person, file))))
}

/** Sends a request to the server in this process: of so many, a socket would take half of the time. */
async function send(
  { app, url }: Instance,
  { token }: Person,
  { operation: { method }, path, body }: FuzzedRequest,
): Promise<Pick<ApiResponse<Json>, 'status' | 'body'>> {
  const headers = { authorization: `Basic ${btoa(`${token}:`)}`, 'content-type': 'application/json', 'user-agent': 'tests' }
  const payload = method === 'GET' ? undefined : JSON.stringify(body ?? {})
  const target = { method, url: `/api/v1${path}`, authority: new URL(url).host, headers }
  const { statusCode, payload: text } = await app.server.inject({ ...target, ...(payload !== undefined && { payload }) } as const)
  return { status: statusCode, body: text === '' ? null : JSON.parse(text) }
}

/**
 * Sends requests that the OpenAPI document allows, and some that it does not, as people of every role, and holds each answer
 * against the document. The same seed sends the same requests, as far as the answers are the same.
 */
export async function fuzz(instance: Instance, { requests, seed }: { requests: number; seed: number }): Promise<FuzzReport> {
  const { body: document } = await instance.stranger.api.get('/openapi.json')
  const operations = operationsOf(document)
  const judge = createJudge(document)
  const people = ['admin', 'manager', 'analyst', 'member', 'stranger'] as const
  const ids = new KnownIds({
    organizations: Array.from({ length: 20 }, () => instance.organization_id),
    users: people.flatMap((name) => Array.from({ length: 4 }, () => instance[name].user_id)),
  })
  const files = await uploadFiles(instance)
  const sources = { components: document.components.schemas, idsOf: ids.of, files: fc.constantFrom(...files) }
  const requestsOf = (isWild: boolean) =>
    fc.oneof(
      ...operations.map((operation: Operation) => ({
        // More is made than deleted, so that there is something to change.
        weight: operation.method === 'POST' ? 4 : operation.method === 'DELETE' ? 1 : 2,
        arbitrary: requestsTo(operation, { ...sources, isWild }),
      })),
    )
  const anyRequest = fc.tuple(
    fc.oneof({ weight: 3, arbitrary: requestsOf(false) }, { weight: 1, arbitrary: requestsOf(true) }),
    // A manager may do most: the more of what is sent is carried out, the further it leads.
    fc.constantFrom(...people, 'manager', 'manager', 'admin'),
  )
  const findings: Finding[] = []
  const statuses = new Map<string, Map<number, number>>()
  let sent = 0
  for (let round = 0; sent < requests; round += 1) {
    const numRuns = Math.min(batchSize, requests - sent)
    const drawn = fc.sample(anyRequest, { numRuns, seed: seed + round })
    for (let at = 0; at < drawn.length; at += together)
      await Promise.all(
        drawn.slice(at, at + together).map(async ([request, as]) => {
          const { operation, path, body } = request
          const response = await send(instance, instance[as], request)
          const counts = statuses.get(operation.id) ?? new Map<number, number>()
          statuses.set(operation.id, counts.set(response.status, (counts.get(response.status) ?? 0) + 1))
          if (response.status === 201) ids.learn(collectionOf(operation.path.split('/').at(-1) ?? ''), response.body)
          const what = judge(operation, response)
          if (what) findings.push({ request: { method: operation.method, path, body, as }, what, answer: response.body })
        }),
      )
    sent += drawn.length
  }
  return { sent, findings, statuses }
}
