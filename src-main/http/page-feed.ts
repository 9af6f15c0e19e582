import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FeedEvent, feedStreams } from '#shared/contract/instance/feed'
import { listNews } from '#main/change-feed/changes'
import { cursorAtEnd, judgeCursor, readCursor, writeCursor } from '#main/change-feed/cursor'
import { listLog } from '#main/store/sync/feed-reader'
import { getAudience } from '#main/store/sync/audience'
import type { Caller } from './command'
import type { ServerParts } from './deps'
import { type EventStream, type StreamDeps, keepStreams } from './server/event-streams'

/** How many changes are looked at together, and named in one event at most. */
const pageLength = 1000

/** `after`: the last change in the log that this listener knows of. */
interface FeedStream extends EventStream {
  after: number
}

function write({ raw }: EventStream, id: string, event: FeedEvent): void {
  raw.write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
}

type FeedDeps = StreamDeps & Pick<ServerParts, 'instance'>

/** Where a listener starts: after the event that it names, or at the end of the log. */
async function startOf(deps: FeedDeps, header: string | string[] | undefined) {
  const end = await cursorAtEnd(deps.store.reader, deps.instance.epoch)
  if (typeof header !== 'string' || header === '') return { kind: 'ready', cursor: end } as const
  try {
    const cursor = readCursor(header)
    if ((await judgeCursor(deps.store.reader, cursor, deps.instance.epoch)) === 'same') return { kind: 'ready', cursor } as const
  } catch {
    // An unreadable place is like one that is not in this log.
  }
  return { kind: 'reset', cursor: end } as const
}

/**
 * `GET /events`: server-sent events that name the records that changed, in the order of the commits, as far as the listener may see
 * them; pages read again what they show of them. After a lost connection `Last-Event-ID` resumes where it broke off.
 */
export function registerPageFeed(
  api: FastifyInstance,
  deps: FeedDeps,
  { callerOf }: { callerOf: (request: FastifyRequest) => Caller },
): void {
  const { reader } = deps.store
  const { epoch } = deps.instance
  const send = async (open: ReadonlySet<FeedStream>) => {
    for (const together of Map.groupBy(open, ({ user_id, after }) => `${user_id} ${after}`).values()) {
      const [{ user_id, after } = { user_id: 0, after: 0 }] = together
      for (let seen = after, isMore = true; isMore;) {
        const page = await listLog(reader, { after: seen, limit: pageLength })
        const last = page.at(-1)
        if (!last) break
        const changes = await listNews(reader, page, await getAudience(reader, user_id))
        const id = writeCursor({ epoch, seq: last.seq, nonce: last.nonce, activity_id: 0 })
        for (const stream of together) {
          stream.after = last.seq
          if (changes.length > 0) write(stream, id, { kind: 'changes', changes })
        }
        seen = last.seq
        isMore = page.length === pageLength
      }
    }
  }
  const streams = keepStreams<FeedStream>(api, deps, { afterCommit: send, failed: 'pages could not be sent what changed' })
  api.get(feedStreams.events.path, async (request, reply) => {
    const { kind, cursor } = await startOf(deps, request.headers['last-event-id'])
    const { user_id } = callerOf(request)
    const stream = streams.begin(request, reply, (raw) => ({ raw, user_id, after: cursor.seq }))
    write(stream, writeCursor(cursor), { kind })
    // At the same time as a run after a commit it would send the same changes twice.
    streams.catchUp(stream)
  })
}
