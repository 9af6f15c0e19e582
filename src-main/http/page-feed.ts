import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FeedEvent, feedStreams, feedTopics } from '#shared/contract/instance/feed'
import { listNews } from '#main/change-feed/changes'
import { cursorAtEnd, judgeCursor, readCursor, writeCursor } from '#main/change-feed/cursor'
import { listLog } from '#main/store/sync/feed-reader'
import { wholeBase } from '#main/store/sync/pulled-changes'
import type { Signal } from '#main/store/core/signals'
import { type Audience, getAudience } from '#main/store/sync/audience'
import { isReplica } from '#main/store/sync/replica-state'
import type { Caller } from './command'
import type { ReplicaControl, ServerParts } from './deps'
import { mayKnowDamage } from './routes/recoveries'
import { type EventStream, type EventStreams, type StreamDeps, keepStreams } from './server/event-streams'

/** The most changes that are read together, and named in one event. */
const pageLength = 1000

/** The least time between two events for state outside the log, in milliseconds: each batch of an import is one signal. */
const topicsEveryMs = 250

const resetEvent = { kind: 'reset' } as const

/** `after`: the last change that this listener knows. `place`: the position where it resumes, at or before that change. */
interface FeedStream extends EventStream {
  after: number
  place: string
}

function write(stream: FeedStream, event: FeedEvent, place = stream.place): void {
  if (stream.raw.writableEnded) return
  stream.place = place
  stream.raw.write(`id: ${place}\ndata: ${JSON.stringify(event)}\n\n`)
}

type FeedDeps = StreamDeps & Pick<ServerParts, 'instance'> & { readonly replica: Pick<ReplicaControl, 'state'> }

/** Where a listener starts: after the event that it names, or at the end of the log. */
async function startOf(deps: FeedDeps, header: string | string[] | undefined) {
  const end = await cursorAtEnd(deps.store.reader, deps.instance.epoch)
  if (typeof header !== 'string' || header === '') return { kind: 'ready', cursor: end } as const
  try {
    const cursor = readCursor(header)
    if ((await judgeCursor(deps.store.reader, cursor, deps.instance.epoch)) === 'same') return { kind: 'ready', cursor } as const
  } catch {
    // An unreadable position is treated like one that is not in this log.
  }
  return { kind: 'reset', cursor: end } as const
}

/** Whether the audience may see the changed state. `knowsDamage`: whether they may know of damage. */
function concerns(signal: Signal, { audience, knowsDamage }: { audience: Audience; knowsDamage: boolean }): boolean {
  switch (signal.topic) {
    case 'replica':
    case 'all':
      return true
    case 'recoveries':
      return knowsDamage
    case 'captures':
    case 'api_tokens':
    case 'browser_sessions':
    case 'passkeys':
    case 'recovery_codes':
    case 'exports':
      return signal.user_id === audience.user_id
    case 'imports':
      return audience.imports.includes(signal.organization_id)
    case 'webhook_deliveries':
      return audience.keeps_webhooks.includes(signal.organization_id)
    case 'handovers':
      return audience.hands_over.includes(signal.organization_id)
    case 'audit':
      return audience.audits.includes(signal.organization_id)
  }
}

/** Sends the collected topics of signals to the listeners they concern; returns a function that stops it. */
function sendTopics({ store }: FeedDeps, streams: EventStreams<FeedStream>): () => void {
  let gathered = new Map<string, Signal>()
  let timer: NodeJS.Timeout | undefined
  const send = async () => {
    const signals = [...gathered.values()]
    gathered = new Map()
    for (const stream of streams.open) {
      const audience = await getAudience(store.reader, stream.user_id)
      const knowsDamage = await mayKnowDamage(store.reader, stream.caller)
      const topics = [
        ...new Set(
          signals
            .filter((signal) => concerns(signal, { audience, knowsDamage }))
            .flatMap(({ topic }) => (topic === 'all' ? feedTopics : [topic])),
        ),
      ]
      if (topics.length > 0) write(stream, { kind: 'topics', topics })
    }
  }
  const flush = () => {
    timer = undefined
    if (gathered.size === 0) return
    timer = setTimeout(flush, topicsEveryMs)
    streams.inTurn(send)
  }
  const stop = store.signals.on((signal) => {
    if (streams.open.size === 0) return
    gathered.set(JSON.stringify(signal), signal)
    // The first one without delay: people see their own action at once.
    timer ??= setTimeout(flush)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

/**
 * `GET /events`: server-sent events that name changed records in the order of commits, and other changed state, as far as the listener may see it;
 * pages then reload what they show. After a lost connection `Last-Event-ID` resumes where it stopped.
 */
export function registerPageFeed(
  api: FastifyInstance,
  deps: FeedDeps,
  { callerOf }: { callerOf: (request: FastifyRequest) => Caller },
): void {
  const { reader } = deps.store
  const { epoch } = deps.instance
  let status = ''
  // The journal and data from the remote are part of the sync status.
  const noteSyncStatus = async () => {
    const before = status
    status = (await isReplica(reader)) ? JSON.stringify(await deps.replica.state()) : ''
    if (status !== before) deps.store.signals.emit({ topic: 'replica' })
  }
  const send = async (open: ReadonlySet<FeedStream>) => {
    for (const together of Map.groupBy(open, ({ user_id, after }) => `${user_id} ${after}`).values()) {
      const [{ user_id, after } = { user_id: 0, after: 0 }] = together
      for (let seen = after, isMore = true; isMore;) {
        const page = await listLog(reader, { after: seen, limit: pageLength })
        const last = page.at(-1)
        if (!last) break
        const changes = await listNews(reader, page, await getAudience(reader, user_id))
        const event = page.some(({ table_name }) => table_name === wholeBase) ? resetEvent : { kind: 'changes' as const, changes }
        const id = writeCursor({ epoch, seq: last.seq, nonce: last.nonce, activity_id: 0 })
        for (const stream of together) {
          stream.after = last.seq
          if (event.kind === 'reset' || changes.length > 0) write(stream, event, id)
        }
        seen = last.seq
        isMore = page.length === pageLength
      }
    }
    await noteSyncStatus()
  }
  const streams = keepStreams<FeedStream>(api, deps, { afterCommit: send, failed: 'pages could not be sent what changed', feed: 'pages' })
  const stopSending = sendTopics(deps, streams)
  api.addHook('preClose', (done) => {
    stopSending()
    done()
  })
  api.get(feedStreams.events.path, async (request, reply) => {
    const { kind, cursor } = await startOf(deps, request.headers['last-event-id'])
    const caller = callerOf(request)
    const { user_id } = caller
    const stream = streams.begin(request, reply, (raw) => ({ raw, user_id, caller, after: cursor.seq, place: writeCursor(cursor) }))
    write(stream, { kind })
    // In turn with runs after commits; otherwise both would send the same changes.
    streams.catchUp(stream)
  })
}
