import { EventSourceParserStream } from 'eventsource-parser/stream'
import { z } from 'zod'
import { feedEvent, feedStreams, type FeedEvent } from '#shared/contract/instance/feed'
import { pause } from './pause'
import { apiBase } from '../client'
import { onReset } from './page-state'

/** How long after a lost connection the next try comes, in milliseconds: at first, and at most while the server stays away. */
const retryMs = { first: 250, most: 10_000 }

const feedLock = 'outlay-feed'
const lostEvent = z.object({ kind: z.literal('lost') })
const placedEvent = z.object({ id: z.string(), event: z.union([feedEvent, lostEvent]) })
type PlacedEvent = z.output<typeof placedEvent>
/** A tab that has just begun to listen wants to know whether there is a connection. */
const hello = 'hello'

/** An event of the feed; `lost`: the connection to it is. */
export type HeardEvent = FeedEvent | z.output<typeof lostEvent>

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('outlay-feed')
let isFollowing = false
/** Whether another tab passed an event on before this page began to follow: what it has read may be older. */
let hasMissed = false
channel?.addEventListener('message', ({ data }) => {
  if (!isFollowing && data !== hello) hasMissed = true
})
onReset(() => (hasMissed = false))

/**
 * Follows the feed of what changed on the server until `signal` ends it, from the place `after` which the page has read what it shows.
 * All tabs of a browser share one connection: one of them holds it and passes the events on; when that tab closes, the next takes over
 * where it broke off. `onEvent` hears each event once, in order; after a gap that cannot be filled it hears `reset`.
 */
export async function followFeed({
  after,
  onEvent,
  signal,
}: {
  after: string
  onEvent: (event: HeardEvent) => void
  signal: AbortSignal
}): Promise<void> {
  let place = after
  let isConnected = false
  let isHolder = false
  const hear = ({ id, event }: PlacedEvent) => {
    place = id
    isConnected = event.kind !== 'lost'
    onEvent(event)
  }
  const pass = (placed: PlacedEvent) => {
    hear(placed)
    channel?.postMessage(placed)
  }
  const onMessage = ({ data }: MessageEvent) => {
    if (data === hello && isHolder && isConnected) channel?.postMessage({ id: place, event: { kind: 'ready' } })
    const placed = placedEvent.safeParse(data)
    if (placed.success) hear(placed.data)
  }
  const hold = () => {
    isHolder = true
    return connectAgain({ signal, placeNow: () => place, hear: pass })
  }
  isFollowing = true
  channel?.addEventListener('message', onMessage)
  signal.addEventListener('abort', () => {
    isFollowing = false
    channel?.removeEventListener('message', onMessage)
  })
  if (hasMissed) onEvent({ kind: 'reset' })
  hasMissed = false
  channel?.postMessage(hello)
  // Without a secure context there are no locks: each tab then has a connection.
  if (!('locks' in navigator) || channel === undefined) return hold()
  await navigator.locks.request(feedLock, { signal }, hold).catch(() => undefined)
}

/** Connects, and again whenever the connection is lost, resuming after the last event. */
async function connectAgain({
  signal,
  placeNow,
  hear,
}: {
  signal: AbortSignal
  placeNow: () => string
  hear: (placed: PlacedEvent) => void
}): Promise<void> {
  let waitMs = retryMs.first
  while (!signal.aborted) {
    try {
      const response = await fetch(`${apiBase}${feedStreams.events.path}`, {
        headers: { accept: 'text/event-stream', 'last-event-id': placeNow() },
        cache: 'no-store',
        signal,
      })
      if (response.ok && response.body) {
        const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
        const reader = events.getReader()
        try {
          for (;;) {
            const { done, value } = await reader.read()
            if (done) break
            waitMs = retryMs.first
            const event: unknown = JSON.parse(value.data)
            hear(placedEvent.parse({ id: value.id, event }))
          }
        } finally {
          // A browser opens six connections to a server: one that is left over takes the place of a request.
          await reader.cancel().catch(() => undefined)
        }
      }
    } catch {
      // The connection was lost, or the page is leaving. It is tried again while the page is there.
    }
    if (!signal.aborted) hear({ id: placeNow(), event: { kind: 'lost' } })
    await pause(waitMs, signal, { of: window, on: 'online' })
    waitMs = Math.min(waitMs * 2, retryMs.most)
  }
}
