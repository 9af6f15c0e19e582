import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'

// Without an `import`: it would read every export of the modules when they are loaded.
const [http, https] = [process.getBuiltinModule('node:http'), process.getBuiltinModule('node:https')]

/** A signed request. */
interface Outgoing {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly content?: { readonly bytes: number; readonly open: () => Readable }
}

/** A response, whose body is read by one of these or not at all. */
export interface Exchange {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: IncomingMessage
  readonly text: () => Promise<string>
  /** Lets the connection be used again. */
  readonly drain: () => Promise<void>
}

/** Sends requests over connections that stay open. */
export interface Sender {
  /** Throws what the network does, also for a silence longer than the sender allows. No redirect is followed. */
  send(request: Outgoing): Promise<Exchange>
  close(): void
}

/** So many requests at a time; others wait. */
const maxSockets = 32
/** No answer that is not a file is longer. */
const longestText = 4 * 1024 * 1024

/** What sends requests; a connection that is silent for so long is cut. */
export function createSender(silenceMs: number): Sender {
  const agents = { 'http:': new http.Agent({ keepAlive: true, maxSockets }), 'https:': new https.Agent({ keepAlive: true, maxSockets }) }
  return {
    send: ({ method, url, headers, content }) =>
      new Promise((resolve, reject) => {
        const isPlain = url.protocol === 'http:'
        const length = content || method === 'PUT' ? { 'content-length': content?.bytes ?? 0 } : {}
        const request = (isPlain ? http : https).request(url, {
          ...{ method, headers: { ...headers, ...length }, timeout: silenceMs },
          agent: isPlain ? agents['http:'] : agents['https:'],
        })
        const silence = () => request.destroy(Object.assign(new Error('The bucket is silent.'), { code: 'ETIMEDOUT' }))
        request.on('timeout', silence)
        let isAnswered = false
        request.on('response', (body) => {
          isAnswered = true
          resolve({
            ...{ status: body.statusCode ?? 0, headers: body.headers, body },
            text: () => limited(body),
            drain: async () => void (await limited(body)),
          })
        })
        // A bucket that refuses early answers before it has everything: what it said counts, not the connection that it closed.
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
