import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Stopping } from '#main/lifetime'
import type { Watch } from '#main/monitoring/health'
import type { Metrics } from '#main/monitoring/metrics'
import type { Store } from '#main/store/core/store'
import { type AuthenticationDeps, authenticate, isOver } from './authentication'
import type { Caller } from '../command'
import type { ServerParts } from '../deps'

/** How long commits are gathered before listeners hear of them. */
const burstMs = 20
/** How often other processes' commits are looked for: they announce nothing. */
const lookMs = 500
/** A proxy in between takes a connection that says nothing for dead. */
const heartbeatMs = 25_000

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** A connection that hears events until one of its ends closes it. */
export interface EventStream {
  readonly raw: ServerResponse
  readonly user_id: number
  readonly caller: Caller
}

/** Streams of server-sent events with one purpose. */
export interface EventStreams<Stream extends EventStream> {
  readonly open: ReadonlySet<Stream>
  /** Takes over the response to a request; `toStream` says what is kept of it. Throws {@link Stopping} once the server ends. */
  begin(request: FastifyRequest, reply: FastifyReply, toStream: (raw: ServerResponse) => Stream): Stream
  /** Runs work in turn with the runs after commits. */
  inTurn(work: () => Promise<void>): void
  /** Runs `afterCommit` for one stream, in turn with the runs after commits. */
  catchUp(stream: Stream): void
}

/** What streams are kept with. */
export type StreamDeps = AuthenticationDeps & Pick<ServerParts, 'log'> & Pick<Watch, 'metrics'>

/** What follows each commit while anyone listens; `feed`: who does, `failed`: the words for the log. */
interface AfterCommits<Stream> {
  readonly feed: Parameters<Metrics['noteFeed']>[0]['feed']
  readonly afterCommit: (open: ReadonlySet<Stream>) => Promise<void>
  readonly failed: string
}

/** Ends the streams of callers who could not begin one now: their token was revoked or has ended, their session is over. */
async function endRevoked<Stream extends EventStream>(
  deps: StreamDeps,
  open: Set<Stream>,
  requests: WeakMap<Stream, FastifyRequest>,
): Promise<void> {
  for (const stream of open) {
    const request = requests.get(stream)
    if (request && (await authenticate(deps, request)).kind === 'known') continue
    open.delete(stream)
    stream.raw.end()
  }
}

/** Calls `listener` when the token or session of a stream has ended by the clock, which no commit says. */
function watchEnds({ clock }: StreamDeps, open: ReadonlySet<EventStream>, listener: () => void): () => void {
  const looking = setInterval(() => {
    if ([...open].some(({ caller }) => isOver(caller.ends_at, clock.now()))) listener()
  }, lookMs).unref()
  return () => clearInterval(looking)
}

/** Calls `listener` after each commit: of this process at once, of another on the same folder soon. */
function watchCommits(store: Store, listener: () => void): () => void {
  let revision = store.revision()
  const note = () => {
    revision = store.revision()
    listener()
  }
  const stopListening = store.onCommit(note)
  const looking = setInterval(() => {
    if (store.revision() !== revision) note()
  }, lookMs).unref()
  return () => {
    stopListening()
    clearInterval(looking)
  }
}

/** Commits that listeners hear of together. `noticedMs`: when the first was noticed; `begins`: says that what is committed from now on is news. */
interface Burst {
  readonly noticedMs: number
  readonly begins: () => void
}

/** Calls `tell` for commits while anyone listens: one run at most waits for its turn, and covers all until it begins. Returns what ends it. */
function gatherCommits({ store, clock }: StreamDeps, open: ReadonlySet<EventStream>, tell: (burst: Burst) => void): () => void {
  let isWaiting = false
  let timer: NodeJS.Timeout | undefined
  const begins = () => {
    isWaiting = false
  }
  const stopListening = watchCommits(store, () => {
    if (open.size === 0 || isWaiting) return
    isWaiting = true
    const noticedMs = clock.monotonicMs()
    timer = setTimeout(() => tell({ noticedMs, begins }), burstMs)
  })
  return () => {
    stopListening()
    clearTimeout(timer)
  }
}

/**
 * Keeps streams of server-sent events: `afterCommit` runs soon after each commit while anyone listens, one run at a time. A stream
 * ends when its token or session does, and with the server.
 */
export function keepStreams<Stream extends EventStream>(
  api: FastifyInstance,
  deps: StreamDeps,
  { feed, afterCommit, failed }: AfterCommits<Stream>,
): EventStreams<Stream> {
  const requests = new WeakMap<Stream, FastifyRequest>()
  const open = new Set<Stream>()
  let working = Promise.resolve()
  let isStopping = false
  const inTurn = (work: () => Promise<void>) => {
    // What is read of many listeners is mostly the same: like a request, a run asks once whether it has changed.
    working = working.then(() => deps.store.asRequest(work)).catch((error: unknown) => deps.log.error({ err: error }, failed))
  }
  const stopGathering = gatherCommits(deps, open, ({ noticedMs, begins }) => {
    inTurn(() => {
      begins()
      return endRevoked(deps, open, requests)
    })
    inTurn(async () => {
      await afterCommit(open)
      deps.metrics?.noteFeed({ feed, ms: deps.clock.monotonicMs() - noticedMs })
    })
  })
  const stopWatching = watchEnds(deps, open, () => inTurn(() => endRevoked(deps, open, requests)))
  const heartbeat = setInterval(() => {
    inTurn(() => endRevoked(deps, open, requests))
    inTurn(() => Promise.resolve(open.forEach(({ raw }) => raw.write(': still here\n\n'))))
  }, heartbeatMs).unref()
  // A stream of events has no end: the server's end must not wait for it.
  api.addHook('preClose', (done) => {
    stopGathering()
    clearInterval(heartbeat)
    stopWatching()
    isStopping = true
    for (const { raw } of open) raw.end()
    open.clear()
    void working.then(() => done())
  })
  return {
    open,
    inTurn,
    catchUp: (stream) => inTurn(() => afterCommit(new Set([stream]))),
    begin: (request, reply, toStream) => {
      if (isStopping) throw new Stopping()
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, { ...headers, 'x-request-id': request.id })
      const stream = toStream(raw)
      requests.set(stream, request)
      open.add(stream)
      raw.on('close', () => open.delete(stream))
      return stream
    },
  }
}
