import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { syncStreams } from '#shared/contract/sync'
import { concerns } from '#main/change-feed/changes'
import { getLogEnd, listLog } from '#main/store/sync/feed-reader'
import { getAudience } from '#main/store/sync/shared-records'
import type { Reader } from '#main/store/core/store'
import { authenticate } from '../server/authentication'
import type { ServerDeps } from '../deps'
import type { Caller } from '../endpoint'

/** How long commits are gathered before one poke tells of them. */
const burstMs = 20
/** A connection that says nothing is taken for dead by what stands between. */
const heartbeatMs = 25_000
/** How many changes are looked at together. */
const pageLength = 1000

const poke = 'event: poke\ndata: {}\n\n'
const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** Those who listen, by their connection, and what they are told of. */
function createNews(reader: Reader) {
  const listeners = new Map<ServerResponse, number>()
  let heard = 0
  const tellNews = async () => {
    const waiting = new Set(listeners.values())
    while (waiting.size > 0) {
      const page = await listLog(reader, { after: heard, limit: pageLength })
      for (const user_id of waiting) {
        if (!(await concerns(reader, page, await getAudience(reader, user_id)))) continue
        waiting.delete(user_id)
        for (const [listener, of] of listeners) if (of === user_id) listener.write(poke)
      }
      heard = page.at(-1)?.seq ?? heard
      if (page.length < pageLength) return
    }
    heard = (await getLogEnd(reader)).seq
  }
  /** Before the first listens: what was before is none of its news. */
  const begin = async () => {
    if (listeners.size === 0) heard = (await getLogEnd(reader)).seq
  }
  return { listeners, begin, tellNews }
}

/** What let each stream begin, and how to end the streams of those who could not begin one now. */
function createRevocations(deps: ServerDeps, listeners: Map<ServerResponse, number>) {
  const requests = new WeakMap<ServerResponse, FastifyRequest>()
  return {
    note: (listener: ServerResponse, request: FastifyRequest) => void requests.set(listener, request),
    /** A token was revoked, a session is over, a user is gone. */
    endRevoked: async () => {
      for (const listener of listeners.keys()) {
        const request = requests.get(listener)
        if (request && (await authenticate(deps, request)).kind === 'known') continue
        listeners.delete(listener)
        listener.end()
      }
    },
  }
}

/**
 * `GET /sync/pokes`: server-sent events that say that something has changed, and carry nothing of it: whoever hears one pulls, and
 * gets what they may see. Nobody hears of what they would not be told.
 */
export function registerPokes(
  api: FastifyInstance,
  deps: ServerDeps,
  { callerOf }: { callerOf: (request: FastifyRequest) => Caller },
): void {
  const { store, log } = deps
  const { listeners, begin, tellNews } = createNews(store.reader)
  const { note, endRevoked } = createRevocations(deps, listeners)
  const inTurn = (work: () => Promise<void>) => {
    telling = telling.then(work).catch((error: unknown) => log.error({ err: error }, 'replicas could not be poked'))
  }
  let timer: NodeJS.Timeout | undefined
  let telling = Promise.resolve()
  const stopListening = store.onCommit(() => {
    if (listeners.size === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      inTurn(endRevoked)
      inTurn(tellNews)
    }, burstMs)
  })
  const heartbeat = setInterval(() => {
    inTurn(endRevoked)
    inTurn(() => {
      for (const listener of listeners.keys()) listener.write(': still here\n\n')
      return Promise.resolve()
    })
  }, heartbeatMs).unref()
  // A stream of events has no end of its own: the server's end must not wait for it.
  api.addHook('preClose', (done) => {
    stopListening()
    clearTimeout(timer)
    clearInterval(heartbeat)
    for (const listener of listeners.keys()) listener.end()
    void telling.then(() => done())
  })
  api.get(syncStreams.pokes.path, async (request, reply) => {
    // What was before is in what the listener pulls now.
    await begin()
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, { ...headers, 'x-request-id': request.id })
    note(raw, request)
    listeners.set(raw, callerOf(request).user_id)
    raw.write(poke)
    raw.on('close', () => listeners.delete(raw))
  })
}
