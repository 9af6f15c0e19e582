import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './instance'

/** A request that a receiver got. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Json
}

/** A receiver of webhooks on a free loopback port. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Resolves when so many requests have come in all. */
  got(count: number): Promise<readonly Received[]>
  close(): Promise<void>
}

/** How a receiver answers its n-th request, counted from 0. */
export type Respond = (response: ServerResponse, count: number, request: IncomingMessage) => void

/** Starts a receiver; unless told otherwise it answers 200. */
export async function startReceiver(answer: Respond = (response) => void response.end(), host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = []
  const looks = new Set<() => void>()
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) })
      answer(response, received.length - 1, request)
      for (const look of looks) look()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hook`,
    port,
    received,
    got: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return
          looks.delete(look)
          resolve(received)
        }
        looks.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
