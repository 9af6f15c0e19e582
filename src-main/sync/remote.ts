import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { Route } from '#shared/contract/route'
import { writeDurably } from '#main/files/durable'
import { RemoteError } from './remote-error'

/** Stores the token of the remote. */
export interface RemoteTokens {
  /** Whether a token can be stored now; some keepers need a passphrase first. */
  canKeep(): Promise<boolean>
  keep(token: string): Promise<void>
  /** The token; undefined if there is none. */
  find(): Promise<string | undefined>
  forget(): Promise<void>
}

const fileName = 'remote-token'

/** Stores the token in the data folder, readable only by its owner: a headless server has nobody to ask for a passphrase. */
export function plainTokens(folder: string): RemoteTokens {
  const path = join(folder, fileName)
  return {
    canKeep: async () => true,
    keep: (token) => writeDurably(path, Buffer.from(token)),
    find: async () => {
      try {
        return (await readFile(path, 'utf8')).trim()
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    forget: () => rm(path, { force: true }),
  }
}

/** A request on the wire. */
export interface WireRequest {
  readonly method: string
  /** Relative to {base_url}, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
  readonly timeoutMs: number
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

/** A raw response. */
export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  text(): Promise<string>
  stream(): AsyncIterable<Uint8Array>
}

/** Sends requests to the remote; tests use a faulty one. Throws {@link RemoteError} `unreachable`. */
export type Transport = (request: WireRequest) => Promise<WireResponse>

const timeoutMs = 60_000
/** The limit of responses that are read completely; a page has some hundred kilobytes. */
const maxTextBytes = 64 * 1024 * 1024

/** A transport over HTTP with the user's token. `url` is the instance's, without `/api/v1`. */
export function httpTransport({ url, token }: { url: string; token: string }): Transport {
  const base = `${url.replace(/\/+$/, '')}/api/v1`
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  return async ({ method, path, headers, body, timeoutMs: limit, signal }) => {
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { authorization, 'user-agent': 'Outlay replica', accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(limit), ...(signal ? [signal] : [])]),
      })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: () => readText(response.body ?? emptyStream()),
        stream: () => response.body ?? emptyStream(),
      }
    } catch (error) {
      throw new RemoteError('unreachable', error instanceof Error ? causeOf(error) : String(error))
    }
  }
}

async function* emptyStream(): AsyncGenerator<Uint8Array> {}

/** Limits the text: a proxy in front of a remote may send without end. */
async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of stream) {
      bytes += part.byteLength
      if (bytes > maxTextBytes) throw new RemoteError('unreadable', 'The answer of the remote is too large to be one of Outlay.')
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof RemoteError) throw error
    throw new RemoteError('unreachable', error instanceof Error ? causeOf(error) : String(error))
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** The remote, called by the routes of the contract; responses are validated before use. */
export class Remote {
  readonly transport: Transport
  /** The received bytes of pages. */
  received = 0
  constructor(transport: Transport) {
    this.transport = transport
  }

  /** Calls a route. Throws {@link RemoteError}. */
  async call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    route: Route<P, Q, B, R>,
    input: { query?: Readonly<Record<string, string | number>>; body?: z.input<B> } = {},
  ): Promise<z.output<R>> {
    const query = input.query
      ? `?${new URLSearchParams(Object.entries(input.query).map<[string, string]>(([name, value]) => [name, String(value)])).toString()}`
      : ''
    const answer = await this.transport({
      method: route.method,
      path: `${route.path}${query}`,
      headers: input.body === undefined ? {} : { 'content-type': 'application/json' },
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      timeoutMs,
    })
    const text = await answer.text()
    this.received += text.length
    if (answer.status !== 426) assertResponded(answer, text)
    const parsed = route.response.safeParse(parseJson(text, answer.status))
    if (parsed.success) return parsed.data
    throw new RemoteError(
      'unreadable',
      `The answer to ${route.name} is not what it should be: ${parsed.error.issues[0]?.message ?? ''}`,
      answer.status,
    )
  }
}

/** Whether a response says nothing about the request itself, so that it can be sent again. */
export function isPassing(status: number): boolean {
  return [408, 425, 429].includes(status) || status >= 500
}

/** Throws for every response that is not a success. */
export function assertResponded({ status, headers }: Pick<WireResponse, 'status' | 'headers'>, text: string): void {
  if (status < 300) return
  if (status === 401) throw new RemoteError('unauthorized', 'The remote does not know the token.', status)
  if (status === 507) throw new RemoteError('unreachable', 'The disk of the remote is full. Free some space there.', status)
  if (isPassing(status)) throw new RemoteError('unreachable', `The remote answered ${status}.`, status)
  const isOurs = (headers['content-type'] ?? '').startsWith('application/json') || text === ''
  if (status === 404 && isOurs) throw new RemoteError('no_sync', 'The remote has no such address.', status)
  if (!isOurs || status < 400)
    throw new RemoteError('unreadable', `The remote answered ${status} with something that is not from Outlay.`, status)
  throw new RemoteError('refused', text.slice(0, 500), status)
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RemoteError(
      'unreadable',
      'The remote answered with something that is not from Outlay. A log-in page may stand before it.',
      status,
    )
  }
}
