import { once } from 'node:events'
import type { Server } from 'node:http'
import type { App } from '#main/app'
import { createServer } from '#main/node-http'

/** The embedded server on a loopback port, for programs of the person's own that have a token. */
export interface LocalApi {
  /** Its address; null while it is off. */
  readonly url: string | null
  start(): Promise<void>
  stop(): Promise<void>
}

/** The port that `outlay serve` takes too; where it is in use, any other. */
const usualPort = 4870

/** Makes the switch for it; it is off. Its requests are those of strangers: none of them is the desktop's own window. */
export function createLocalApi({ server }: Pick<App, 'server'>): LocalApi {
  let listening: Server | undefined
  return {
    get url() {
      const address = listening?.address()
      return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : null
    },
    start: async () => {
      if (listening) return
      const listener = createServer({ requireHostHeader: false }, (request, response) => {
        server.server.emit('request', request, response)
      })
      listening = listener
      await listen(listener, usualPort).catch(() => listen(listener, 0))
    },
    stop: async () => {
      const listener = listening
      listening = undefined
      if (!listener) return
      const closed = once(listener, 'close')
      listener.close()
      listener.closeAllConnections()
      await closed
    },
  }
}

async function listen(listener: Server, port: number): Promise<void> {
  const failed = new AbortController()
  try {
    listener.listen({ host: '127.0.0.1', port })
    await once(listener, 'listening', { signal: failed.signal })
  } finally {
    failed.abort()
  }
}
