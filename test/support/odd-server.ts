import { once } from 'node:events'
import { type ServerResponse, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What stands in the way of the remote: answers a request itself, or says that it is to be passed on. */
export type Odd = (path: string, response: ServerResponse) => 'pass' | 'answered'

/** A server before the remote that answers some requests otherwise than the remote would. */
export interface OddServer {
  readonly url: string
  readonly host: string
  /** Answers like this from now on. */
  responseLike(odd: Odd): void
  /** Passes everything on from now on. */
  behave(): void
  passTo(url: string): void
  close(): Promise<void>
}

const behave: Odd = () => 'pass'

/** Starts a server that passes everything on, once it knows where to. */
export async function startOddServer(): Promise<OddServer> {
  let odd = behave
  let target = ''
  const server = createServer((asked, response) => {
    const { url: path = '/', method, headers } = asked
    if (odd(path, response) === 'answered') return void asked.resume()
    const passed = request(`${target}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    responseLike: (next) => (odd = next),
    behave: () => (odd = behave),
    passTo: (url) => (target = url),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
