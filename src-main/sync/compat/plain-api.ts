import { z } from 'zod'
import { type Transport, type WireResponse, assertResponded } from '../remote'
import { RemoteError } from '../remote-error'

const timeoutMs = 60_000
/** The largest page of the contract's lists. */
const perPage = 100

/** One call of the published contract. */
export interface PlainRequest {
  readonly method: string
  /** Relative to {base_url}, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface PlainResponse {
  readonly status: number
  readonly headers: WireResponse['headers']
  readonly body: unknown
}

/** A record at the remote, and its entity tag if the server gives one. */
export interface Found {
  readonly value: Readonly<Record<string, unknown>>
  readonly etag: string | undefined
}

/** A request for a list. */
export interface PlainListing {
  readonly path: string
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  /** Shortens the list if the server supports it: not every list of the contract has every filter or order. */
  readonly filter?: Readonly<Record<string, string>>
}

/** One page of a list. */
export interface ListPage {
  readonly items: readonly unknown[]
  readonly count: number
}

const record = z.record(z.string(), z.unknown())
/** Statuses for records that do not exist or are not visible. */
const absent = new Set([404, 410])
const closed = new Set([403, 404, 410])

/** Parses a remote's data. Throws {@link RemoteError} `unreadable`. */
export function readAs<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RemoteError('unreadable', `What came as ${what} is none: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** A client for a contract-only remote. */
export class PlainApi {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Sends a call and returns its result. Throws {@link RemoteError} `unreachable` and `unreadable`. */
  async send({ method, path, body, headers = {} }: PlainRequest): Promise<PlainResponse> {
    const hasBody = body !== undefined && body !== null
    const response = await this.#transport({
      method,
      path,
      headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      body: hasBody ? JSON.stringify(body) : undefined,
      timeoutMs,
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: toJson(response, text) }
  }

  /** A record; undefined if there is none. Throws {@link RemoteError}. */
  async find(path: string): Promise<Found | undefined> {
    const response = await this.send({ method: 'GET', path })
    if (absent.has(response.status)) return undefined
    const body = toSuccess(response)
    return { value: readAs(record, body, path), etag: response.headers.etag }
  }

  /** The body at a path; undefined if there is none. Throws {@link RemoteError}. */
  async read(path: string): Promise<unknown> {
    const response = await this.send({ method: 'GET', path })
    return closed.has(response.status) ? undefined : toSuccess(response)
  }

  /** The pages of a list, by their `Link`; empty if the caller may not see it. Throws {@link RemoteError}. */
  async *pages(list: PlainListing): AsyncGenerator<ListPage> {
    let { filter } = list
    for (let page: string | undefined = '1'; page !== undefined;) {
      const query = new URLSearchParams({ ...list.query, ...filter, per_page: String(perPage), page })
      const response = await this.send({ method: 'GET', path: `${list.path}?${query.toString()}` })
      if (response.status === 422 && page === '1' && filter) {
        filter = undefined
        continue
      }
      if (closed.has(response.status)) return
      const body = readAs(record, toSuccess(response), list.path)
      const items = readAs(z.array(z.unknown()), body[list.name], list.path)
      yield { items, count: typeof body.count === 'number' ? body.count : items.length }
      page = nextPage(response.headers.link)
    }
  }

  /** The number of records in a list; undefined if the caller may not see it, or the server does not show it. */
  async count({ path, query }: { path: string; query?: Readonly<Record<string, string>> }): Promise<number | undefined> {
    const body = await this.read(`${path}?${new URLSearchParams({ ...query, per_page: '1' }).toString()}`)
    const counted = z.object({ count: z.int() }).safeParse(body)
    return counted.success ? counted.data.count : undefined
  }
}

/** Takes only the page number: the list's address is known, and no other address may be requested. */
function nextPage(link = ''): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link) ?? []
  return target === undefined ? undefined : (new URL(target, 'http://localhost').searchParams.get('page') ?? undefined)
}

function toSuccess({ status, headers, body }: PlainResponse): unknown {
  assertResponded({ status, headers }, typeof body === 'string' ? body : JSON.stringify(body))
  return body
}

function toJson({ status, headers }: WireResponse, text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    if (status >= 300 && status < 500) assertResponded({ status, headers }, text)
    if (status >= 300) return text
    throw new RemoteError('unreadable', 'The remote answered with something that is not JSON.', status)
  }
}
