import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { Readable } from 'node:stream'
import { type ReadableStream } from 'node:stream/web'
import { schemes } from '#test/desktop/stand-in/addresses'

/** Opens the way from pages to the handlers of schemes; answers its port. */
export async function openBridge(): Promise<number> {
  const bridge = createServer((request, response) => void answer(request, response))
  bridge.listen(0, '127.0.0.1').unref()
  await once(bridge, 'listening')
  const address = bridge.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** Hands a request of a page to the handler of its scheme: streamed both ways, and aborted when the page goes. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const aborting = new AbortController()
  response.on('close', () => aborting.abort())
  const host = (request.headers.host ?? '').replace(/\.localhost(:\d+)?$/, '')
  const [scheme] = schemes.keys()
  const handler = scheme === undefined ? undefined : schemes.get(scheme)
  // Chromium asks for it by itself; Electron never does.
  if (request.url === '/favicon.ico' || scheme === undefined || !handler) return void response.writeHead(404).end()
  try {
    const answered = await handler(toRequest(request, { scheme, host, signal: aborting.signal }))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    if (!answered.body) return void response.end()
    Readable.fromWeb(answered.body as ReadableStream)
      .on('error', () => response.destroy())
      .pipe(response)
  } catch (error) {
    console.error('stand-in: the handler of the scheme failed', error)
    response.destroy()
  }
}

function toRequest(request: IncomingMessage, { scheme, host, signal }: { scheme: string; host: string; signal: AbortSignal }) {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  headers.delete('host')
  if (headers.has('origin') && headers.get('origin') !== 'null') headers.set('origin', `${scheme}://${host}`)
  const isBodiless = request.method === 'GET' || request.method === 'HEAD'
  return new Request(`${scheme}://${host}${request.url ?? '/'}`, {
    method: request.method,
    headers,
    signal,
    ...(isBodiless ? {} : { body: Readable.toWeb(request) as BodyInit, duplex: 'half' }),
  })
}
