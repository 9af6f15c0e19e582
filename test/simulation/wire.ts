import fastify, { type FastifyInstance } from 'fastify'
import type { ServerDeps } from '#main/http/endpoint'
import { send } from '#main/http/server/send'
import { registerBlobs } from '#main/http/sync/blobs'
import { RemoteError } from '#main/sync/remote-error'
import type { Transport, WireResponse, WireRequest } from '#main/sync/remote'
import type { Site } from './site'

/** An answer that is whole. */
export interface Delivered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** The server for files of one process: made once, since it costs more than a history does. It speaks for whichever site asks. */
let files: Promise<FastifyInstance> | undefined
let served: Site | undefined
let caller = 0

function servedDeps(): ServerDeps {
  const current = () => {
    if (!served) throw new Error('No site is served.')
    return served.deps
  }
  // Looked up at each request: the same server stands for every site, one at a time.
  return new Proxy({} as ServerDeps, { get: (_target, name) => Reflect.get(current(), name) as unknown })
}

async function fileServer(): Promise<FastifyInstance> {
  const app = fastify({ logger: false })
  app.removeAllContentTypeParsers()
  registerBlobs(app, servedDeps(), {
    callerOf: () => ({ user_id: caller, locale: 'en', way: 'token', session_hash: null, scopes: null, ends_at: null, token_ends_at: null }),
    send,
  })
  await app.ready()
  return app
}

/** Delivers a request to the remote and answers what it said; unreachable where the remote was killed over it. */
export async function deliver(remote: Site, user_id: number, request: WireRequest): Promise<Delivered> {
  const { method, path, headers, body } = request
  try {
    if (path.startsWith('/sync/blobs/')) return await deliverFile(remote, user_id, request)
    const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
    const response = await remote.call({ user_id, method, path, body: parsed })
    if (remote.isDead) throw new RemoteError('unreachable', 'killed')
    const text = response.body === null ? '' : JSON.stringify(response.body)
    return { status: response.status, headers: { 'content-type': 'application/json', ...response.headers }, bytes: Buffer.from(text) }
  } finally {
    void headers
    if (remote.isDead) await remote.restart()
  }
}

async function deliverFile(remote: Site, user_id: number, { method, path, headers, body }: WireRequest): Promise<Delivered> {
  files ??= fileServer()
  const app = await files
  served = remote
  caller = user_id
  const payload = body instanceof ReadableStream ? await collect(body) : body === undefined ? undefined : Buffer.from(body)
  const response = await app.inject({
    method: method === 'PUT' ? 'PUT' : 'GET',
    url: path,
    headers: { ...headers, 'user-agent': 'simulation' },
    payload,
  })
  if (remote.isDead) throw new RemoteError('unreachable', 'killed')
  const names = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
  return { status: response.statusCode, headers: Object.fromEntries(names), bytes: response.rawPayload }
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** An answer as the replica reads it; `cut`: how much of it comes before the connection breaks. */
export function toWireResponse({ status, headers, bytes }: Delivered, cut?: number): WireResponse {
  const broken = () => new RemoteError('unreachable', 'the connection broke')
  return {
    status,
    headers,
    text: async () => {
      if (cut !== undefined) throw broken()
      return bytes.toString('utf8')
    },
    stream: async function* () {
      yield cut === undefined ? bytes : bytes.subarray(0, cut)
      if (cut !== undefined) throw broken()
    },
  }
}

/** A transport without faults. */
export function directTransport(remote: () => Site, user_id: number): Transport {
  return async (request) => toWireResponse(await deliver(remote(), user_id, request))
}
