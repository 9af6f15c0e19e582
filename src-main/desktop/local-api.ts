import { once } from 'node:events'
import type { Server } from 'node:http'
import type { App } from '#main/app'
import { createServer } from '#main/node-http'

/** The embedded server on a loopback port, for a person's own programs with a token. */
export interface LocalApi {
  /** Its address; null while off. */
  readonly url: string | null
  start(): Promise<void>
  stop(): Promise<void>
}

/** The port of `outlay serve`; if it is in use, any other. */
const usualPort = 4870

/** Makes the local API, switched off. Its requests count as external: none comes from the desktop's window. */
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
