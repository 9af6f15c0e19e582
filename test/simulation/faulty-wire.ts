import type { Transport, WireResponse, WireRequest } from '#main/sync/remote'
import { RemoteError } from '#main/sync/remote-error'
import type { Random } from './random'
import type { Site } from './site'
import { type Delivered, deliver, toWireResponse } from './wire'

/** What may go wrong with one request. */
export const faultKinds = [
  /** It never arrives. */
  'drop',
  /** It is carried out, and nobody hears of it. */
  'drop answer',
  /** It arrives twice. */
  'duplicate',
  /** It arrives after others that were sent after it; nobody hears of it. */
  'delay',
  /** It is answered, and arrives once more, later. */
  'echo',
  /** It is carried out; the answer ends at some byte, and the connection breaks. */
  'cut',
  /** It is carried out; the answer ends at some byte as if it were whole. */
  'truncate',
  /** A part of the body arrives. */
  'cut body',
  'status',
  'status after',
  /** A log-in page in the place of an answer. */
  'page',
  'empty',
  /** A value of the answer is of another type. */
  'types',
  /** The remote is newer: it sends tables and columns that nobody here knows. */
  'newer',
] as const
export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  /** Which request of the exchange. */
  readonly at: number
  readonly kind: FaultKind
  readonly seed: number
}

const statuses = [401, 408, 425, 429, 500, 502, 503]
const unreachable = () => new RemoteError('unreachable', 'a fault')
const responseOf = (status: number, text: string, type = 'application/json'): WireResponse =>
  toWireResponse({ status, headers: { 'content-type': type }, bytes: Buffer.from(text) })

interface Held {
  readonly request: WireRequest
  /** After how many further requests it arrives. */
  left: number
}

/** The way between a replica and its remote, with the faults of the moment. */
export class FaultyWire {
  faults: readonly Fault[] = []
  #count = 0
  #held: Held[] = []
  readonly #random: (seed: number) => Random
  readonly #remote: () => Site
  readonly #user_id: number
  constructor({ remote, user_id, random }: { remote: () => Site; user_id: number; random: (seed: number) => Random }) {
    this.#remote = remote
    this.#user_id = user_id
    this.#random = random
  }

  /** The faults of the next exchange. */
  begin(faults: readonly Fault[]): void {
    this.faults = faults
    this.#count = 0
  }

  readonly transport: Transport = async (asked) => {
    const request = await repeatable(asked)
    const index = this.#count
    this.#count += 1
    await this.#deliverDue()
    const fault = this.faults.find(({ at }) => at === index)
    if (!fault) return toWireResponse(await this.#deliver(request))
    return this.#spoil(request, fault)
  }

  /** Delivers what is still on its way. */
  async deliverHeld(): Promise<void> {
    for (const { request } of this.#held.splice(0)) await this.#deliver(request).catch(ignoreUnreachable)
  }

  async #deliverDue(): Promise<void> {
    for (const held of this.#held) held.left -= 1
    const due = this.#held.filter(({ left }) => left <= 0)
    this.#held = this.#held.filter(({ left }) => left > 0)
    for (const { request } of due) await this.#deliver(request).catch(ignoreUnreachable)
  }

  #deliver(request: WireRequest): Promise<Delivered> {
    return deliver(this.#remote(), this.#user_id, request)
  }

  async #spoil(request: WireRequest, { kind, seed }: Fault): Promise<WireResponse> {
    const random = this.#random(seed)
    switch (kind) {
      case 'drop':
        throw unreachable()
      case 'delay':
        this.#held.push({ request, left: 1 + random.int(4) })
        throw unreachable()
      case 'status':
        return responseOf(random.pick(statuses), random.chance(0.5) ? '' : '<html>Bad gateway</html>', 'text/html')
      case 'page':
        return responseOf(200, '<!doctype html><form><input name=password></form>', 'text/html')
      case 'empty':
        return responseOf(200, random.pick(['[]', '{}', '{"results":[]}', 'null', '']))
      case 'cut body':
        await this.#deliverPart(request, random)
        throw unreachable()
      case 'drop answer':
        await this.#deliver(request)
        throw unreachable()
      default:
        return this.#spoilAnswer(request, kind, random)
    }
  }

  async #deliverPart(request: WireRequest, random: Random): Promise<void> {
    const { body } = request
    if (request.method !== 'PUT' || !(body instanceof Uint8Array)) return
    await this.#deliver({ ...request, body: body.subarray(0, random.int(body.length)) })
  }

  async #spoilAnswer(request: WireRequest, kind: FaultKind, random: Random): Promise<WireResponse> {
    const response = await this.#deliver(request)
    const { bytes } = response
    switch (kind) {
      case 'duplicate':
        return toWireResponse(random.chance(0.5) ? await this.#deliver(request) : (await this.#deliver(request), response))
      case 'echo':
        this.#held.push({ request, left: 1 + random.int(6) })
        return toWireResponse(response)
      case 'cut':
        return toWireResponse(response, random.int(Math.max(1, bytes.length)))
      case 'truncate':
        return toWireResponse({ ...response, bytes: bytes.subarray(0, random.int(Math.max(1, bytes.length))) })
      case 'status after':
        return responseOf(random.pick(statuses.slice(1)), '')
      case 'types':
        return toWireResponse(changed(response, (value) => withOtherType(value, random)))
      case 'newer':
        return toWireResponse(changed(response, (value) => asNewer(value)))
      default:
        return toWireResponse(response)
    }
  }
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof RemoteError)) throw error
}

/** A body that can be sent again. */
async function repeatable(request: WireRequest): Promise<WireRequest> {
  if (!(request.body instanceof ReadableStream)) return request
  const chunks: Uint8Array[] = []
  for await (const chunk of request.body) chunks.push(chunk)
  return { ...request, body: new Uint8Array(Buffer.concat(chunks)) }
}

function changed(response: Delivered, change: (value: unknown) => unknown): Delivered {
  if (!(response.headers['content-type'] ?? '').startsWith('application/json') || response.bytes.length === 0) return response
  return { ...response, bytes: Buffer.from(JSON.stringify(change(JSON.parse(response.bytes.toString('utf8'))))) }
}

/** The same value with one part of it, anywhere, of a type that it never has. */
function withOtherType(value: unknown, random: Random): unknown {
  const places: Array<{ owner: object; name: string }> = []
  const walk = (owner: unknown) => {
    if (typeof owner !== 'object' || owner === null) return
    for (const [name, part] of Object.entries(owner)) {
      places.push({ owner, name })
      walk(part)
    }
  }
  walk(value)
  const place = random.maybe(places)
  if (place) Reflect.set(place.owner, place.name, random.pick<unknown>([{ a: 1 }, true]))
  return value
}

/** The same rows with a column more each, and a table more. */
function asNewer(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('tables' in value) || !Array.isArray(value.tables)) return value
  const parts = value.tables as Array<Record<string, unknown>>
  if (!parts.every(({ columns, rows }) => Array.isArray(columns) && Array.isArray(rows))) return value
  const tables = parts.map((part) => ({
    ...part,
    columns: [...(part.columns as unknown[]), 'mood'],
    rows: (part.rows as unknown[][]).map((row) => [...row, 'calm']),
  }))
  const unknown = { name: 'moods', columns: ['id', 'mood'], rows: [[1, 'calm']] }
  return { ...value, tables: [...tables, unknown] }
}
