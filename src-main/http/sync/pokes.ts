import type { FastifyInstance, FastifyRequest } from 'fastify'
import { syncStreams } from '#shared/contract/sync'
import { concerns } from '#main/change-feed/changes'
import { getLogEnd, listLog } from '#main/store/sync/feed-reader'
import { getAudience } from '#main/store/sync/audience'
import type { Reader } from '#main/store/core/store'
import type { Caller } from '../command'
import { type EventStream, type StreamDeps, keepStreams } from '../server/event-streams'

/** How many changes are looked at together. */
const pageLength = 1000

const poke = 'event: poke\ndata: {}\n\n'

/** Pokes those listeners whom changes since the last look concern. */
function createPoker(reader: Reader) {
  let seen = 0
  return {
    /** Before the first listens: earlier changes are no news to anyone. */
    begin: async () => {
      seen = (await getLogEnd(reader)).seq
    },
    poke: async (open: ReadonlySet<EventStream>) => {
      // Read before anyone is poked: who pulls at once may not get what is committed from now on, and hears of it after that commit.
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
 * `GET /sync/pokes`: server-sent events that say that something has changed, without saying what: a replica that hears one pulls, and
 * gets what its user may see. A listener hears only of changes that it would be shown.
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
    // The listener pulls now, and so gets what was before.
    streams.begin(request, reply, (raw) => ({ raw, user_id: caller.user_id, caller })).raw.write(poke)
  })
}
