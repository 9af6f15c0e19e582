import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'

// Not an `import`: that would evaluate every export of the modules at load time.
const [http, https] = [process.getBuiltinModule('node:http'), process.getBuiltinModule('node:https')]

interface Outgoing {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly content?: { readonly bytes: number; readonly open: () => Readable }
}

/** A response; its body is read by one of these functions or not at all. */
export interface Exchange {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: IncomingMessage
  readonly text: () => Promise<string>
  /** Discards the body, so that the connection can be used again. */
  readonly drain: () => Promise<void>
}

/** Sends requests over persistent connections. */
export interface Sender {
  /** Throws errors of the network, also after too long a silence. Does not follow redirects. */
  send(request: Outgoing): Promise<Exchange>
  close(): void
}

/** The most simultaneous requests; others wait. */
const maxSockets = 32
/** The longest response that is not a file. */
const longestText = 4 * 1024 * 1024

/** Makes a sender that ends a connection after this much silence. */
export function createSender(silenceMs: number): Sender {
  const agents = { 'http:': new http.Agent({ keepAlive: true, maxSockets }), 'https:': new https.Agent({ keepAlive: true, maxSockets }) }
  return {
    send: ({ method, url, headers, content }) =>
      new Promise((resolve, reject) => {
        const isPlain = url.protocol === 'http:'
        const length = content || method === 'PUT' ? { 'content-length': content?.bytes ?? 0 } : {}
        const request = (isPlain ? http : https).request(url, {
          method,
          headers: { ...headers, ...length },
          timeout: silenceMs,
          agent: isPlain ? agents['http:'] : agents['https:'],
        })
        const silence = () => request.destroy(Object.assign(new Error('The bucket is silent.'), { code: 'ETIMEDOUT' }))
        request.on('timeout', silence)
        let isAnswered = false
        request.on('response', (body) => {
          isAnswered = true
          resolve({
            status: body.statusCode ?? 0,
            headers: body.headers,
            body,
            text: () => limited(body),
            drain: async () => void (await limited(body)),
          })
        })
        // A bucket may reject a request before all of it was sent: its response counts, not the closed connection.
        request.on('error', (error) => void setImmediate(() => isAnswered || reject(error)))
        if (!content) return void request.end()
        const source = content.open()
        source.on('error', (error: Error) => request.destroy(error))
        request.on('close', () => source.destroy())
        source.pipe(request)
      }),
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

async function limited(body: IncomingMessage): Promise<string> {
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > longestText) body.destroy(new Error('The bucket answers more than is expected.'))
  })
  return readText(body)
}
