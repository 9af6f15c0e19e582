import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Stopping } from '#main/lifetime'
import type { Watch } from '#main/monitoring/health'
import type { Metrics } from '#main/monitoring/metrics'
import type { Store } from '#main/store/core/store'
import { type AuthenticationDeps, authenticate, isOver } from './authentication'
import type { Caller } from '../command'
import type { ServerParts } from '../deps'

/** How long commits are collected before listeners are notified. */
const burstMs = 20
/** How often to look for other processes' commits, which are not announced. */
const lookMs = 500
/** A proxy considers a silent connection dead. */
const heartbeatMs = 25_000

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** A connection that receives events until either side closes it. */
export interface EventStream {
  readonly raw: ServerResponse
  readonly user_id: number
  readonly caller: Caller
}

/** Server-sent event streams with one purpose. */
export interface EventStreams<Stream extends EventStream> {
  readonly open: ReadonlySet<Stream>
  /** Takes over the response to a request; `toStream` makes the stored stream. Throws {@link Stopping} if the server is closing. */
  begin(request: FastifyRequest, reply: FastifyReply, toStream: (raw: ServerResponse) => Stream): Stream
  /** Runs work in turn with the runs after commits. */
  inTurn(work: () => Promise<void>): void
  /** Runs `afterCommit` for one stream, in turn with the runs after commits. */
  catchUp(stream: Stream): void
}

/** What keeping streams needs. */
export type StreamDeps = AuthenticationDeps & Pick<ServerParts, 'log'> & Pick<Watch, 'metrics'>

/** Work after each commit while anyone listens. `feed` gets the listeners; `failed`: the log message. */
interface AfterCommits<Stream> {
  readonly feed: Parameters<Metrics['noteFeed']>[0]['feed']
  readonly afterCommit: (open: ReadonlySet<Stream>) => Promise<void>
  readonly failed: string
}

/** Ends the streams of callers whose token was revoked or has ended, or whose session is over. */
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

/** Calls `listener` when a stream's token or session expires, which no commit reports. */
function watchEnds({ clock }: StreamDeps, open: ReadonlySet<EventStream>, listener: () => void): () => void {
  const looking = setInterval(() => {
    if ([...open].some(({ caller }) => isOver(caller.ends_at, clock.now()))) listener()
  }, lookMs).unref()
  return () => clearInterval(looking)
}

/** Calls `listener` after each commit: of this process at once, of another one on the same folder soon. */
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

/** Commits that listeners get together. `noticedMs`: when the first was noticed. `begins`: marks that later commits need another run. */
interface Burst {
  readonly noticedMs: number
  readonly begins: () => void
}

/** Calls `tell` for commits while anyone listens. At most one run waits and covers all commits until it begins. Returns a function that stops it. */
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
 * Keeps server-sent event streams: `afterCommit` runs soon after each commit while anyone listens, one run at a time. A stream ends with its token or
 * session, and with the server.
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
    // Listeners mostly read the same: like a request, a run looks once for changes.
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
  // An event stream has no end, so closing the server must not wait for it.
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
