import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { syncStreams } from '#shared/contract/sync'
import type { ServerDeps } from '../deps'

/** How long commits are gathered before one poke tells of them. */
const burstMs = 20
/** A connection that says nothing is taken for dead by what stands between. */
const heartbeatMs = 25_000

/**
 * `GET /sync/pokes`: server-sent events that say that something has changed, and carry nothing of it: whoever hears one pulls, and
 * gets what they may see.
 */
export function registerPokes(api: FastifyInstance, { store }: ServerDeps): void {
  const listeners = new Set<ServerResponse>()
  const tell = (text: string) => {
    for (const listener of listeners) listener.write(text)
  }
  let timer: NodeJS.Timeout | undefined
  const stopListening = store.onCommit(() => {
    if (listeners.size === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      tell(poke)
    }, burstMs)
  })
  const heartbeat = setInterval(() => tell(': still here\n\n'), heartbeatMs).unref()
  // A stream of events has no end of its own: the server's end must not wait for it.
  api.addHook('preClose', (done) => {
    stopListening()
    clearTimeout(timer)
    clearInterval(heartbeat)
    for (const listener of listeners) listener.end()
    done()
  })
  api.get(syncStreams.pokes.path, (request, reply) => {
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
    })
    raw.write(poke)
    listeners.add(raw)
    raw.on('close', () => listeners.delete(raw))
  })
}

const poke = 'event: poke\ndata: {}\n\n'
