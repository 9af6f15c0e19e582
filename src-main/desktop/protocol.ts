import { Readable } from 'node:stream'
import { z } from 'zod'
import type { App } from '#main/app'
import { localHeader } from '#main/http/server/local-header'
import type { Pages } from './pages'
import { appOrigin, isOurPage } from './security'

const methodSchema = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The part of a server that responds in process. */
export type Responding = Pick<App, 'server' | 'local_secret'>

/** Headers that pages must not set: the shell sets them. */
const notFromPages = new Set([localHeader, 'host', 'origin', 'cookie', 'authorization'])

/** Handles the requests of the desktop's windows. */
export interface InProcess {
  answer(request: Request): Promise<Response>
  /** Rejects new requests, and waits for running writes. */
  end(): Promise<void>
}

/** Makes the handler of a page's requests: files of the page, or the embedded server's responses once it exists, streamed both ways. */
export function createInProcess(outlay: () => Promise<Responding>, pages: Pages): InProcess {
  const writing = new Set<Promise<unknown>>()
  let isEnding = false
  return {
    answer: (request) => {
      if (isEnding) return Promise.resolve(new Response(null, { status: 503 }))
      const answered = answer(outlay, pages, request)
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        const settled = answered.catch(() => undefined).finally(() => writing.delete(settled))
        writing.add(settled)
      }
      return answered
    },
    end: async () => {
      isEnding = true
      await Promise.all(writing)
    },
  }
}

async function answer(open: () => Promise<Responding>, pages: Pages, request: Request): Promise<Response> {
  if (!isOurPage(request.url)) return new Response(null, { status: 421 })
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== appOrigin) return new Response(null, { status: 403 })
  const method = methodSchema.safeParse(request.method)
  if (!method.success) return new Response(null, { status: 405 })
  const { pathname, search } = new URL(request.url)
  if (!isOfServer(pathname)) return (await pages(request)) ?? new Response(null, { status: 404 })
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !notFromPages.has(name)))
  const outlay = await open()
  const injected = await outlay.server.inject({
    method: method.data,
    url: `${pathname}${search}`,
    headers: { 'user-agent': 'Outlay desktop', ...headers, host: 'outlay', [localHeader]: outlay.local_secret },
    ...(request.body === null ? {} : { payload: Readable.from(chunksOf(request.body)) }),
    payloadAsStream: true,
    signal: request.signal,
  })
  return toResponse(injected)
}

function isOfServer(pathname: string): boolean {
  return ['/api/', '/files/', '/uploads'].some((prefix) => pathname.startsWith(prefix))
}

function toResponse(response: Awaited<ReturnType<App['server']['inject']>>): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    // Headers of a connection between two processes; here there is none.
    if (name === 'connection' || name === 'transfer-encoding') continue
    for (const one of [value ?? []].flat()) headers.append(name, String(one))
  }
  const isEmpty = [204, 205, 304].includes(response.statusCode)
  const body = isEmpty ? null : toWeb(response.stream())
  return new Response(body, { status: response.statusCode, headers })
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** Converts a stream on demand: unread data stay unread, and it ends when the page goes. */
function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: () => void stream.destroy(),
  })
}
