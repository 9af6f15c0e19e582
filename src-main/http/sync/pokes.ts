import type { FastifyInstance, FastifyRequest } from 'fastify'
import { syncStreams } from '#shared/contract/sync'
import { concerns } from '#main/change-feed/changes'
import { getLogEnd, listLog } from '#main/store/sync/feed-reader'
import { getAudience } from '#main/store/sync/audience'
import type { Reader } from '#main/store/core/store'
import type { Caller } from '../command'
import { type EventStream, type StreamDeps, keepStreams } from '../server/event-streams'

/** How many changes are read together. */
const pageLength = 1000

const poke = 'event: poke\ndata: {}\n\n'

/** Pokes the listeners whom new changes concern. */
function createPoker(reader: Reader) {
  let seen = 0
  return {
    /** Before the first listener: earlier changes are not news. */
    begin: async () => {
      seen = (await getLogEnd(reader)).seq
    },
    poke: async (open: ReadonlySet<EventStream>) => {
      // Read before poking: a listener that pulls at once may miss later commits, and is poked after those.
      const { seq: end } = await getLogEnd(reader)
      const waiting = new Set([...open].map(({ user_id }) => user_id))
      while (waiting.size > 0 && seen < end) {
        const page = (await listLog(reader, { after: seen, limit: pageLength })).filter(({ seq }) => seq <= end)
        for (const user_id of waiting) {
          if (!(await concerns(reader, page, await getAudience(reader, user_id)))) continue
          waiting.delete(user_id)
          for (const stream of open) if (stream.user_id === user_id) stream.raw.write(poke)
        }
        seen = page.at(-1)?.seq ?? end
      }
      seen = Math.max(seen, end)
    },
  }
}

/**
 * `GET /sync/pokes`: server-sent events that report a change without its content. A replica then pulls what its user may see. A listener is poked
 * only for changes that it would get.
 */
export function registerPokes(
  api: FastifyInstance,
  deps: StreamDeps,
  { callerOf }: { callerOf: (request: FastifyRequest) => Caller },
): void {
  const poker = createPoker(deps.store.reader)
  const streams = keepStreams<EventStream>(api, deps, { afterCommit: poker.poke, failed: 'replicas could not be poked', feed: 'replicas' })
  api.get(syncStreams.pokes.path, async (request, reply) => {
    if (streams.open.size === 0) await poker.begin()
    const caller = callerOf(request)
    // The listener pulls now, and so gets all earlier changes.
    streams.begin(request, reply, (raw) => ({ raw, user_id: caller.user_id, caller })).raw.write(poke)
  })
}
