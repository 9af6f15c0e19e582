import { ApiError } from '../api/client'
import { useDrafts } from './drafts'
import { onReset } from '../api/page/page-state'

/** The interface's callbacks while requests are sent. */
export interface SendingEvents {
  onSignedOut(): void
  /** The server has no room for what was entered; it is sent again automatically. */
  onNoRoom(error: ApiError): void
}

const pauses = { firstMs: 1000, mostMs: 30_000 }
/** Responses after which the same request is worth sending again; every 5xx is too. */
const passing = new Set([0, 401, 408, 409, 425, 429])

const senders = new Set<() => boolean>()
let events: SendingEvents | null = null
let isSessionKnown = true
let pauseMs = 0
let pause: ReturnType<typeof setTimeout> | undefined
onReset(() => {
  isSessionKnown = true
  pauseMs = 0
  clearTimeout(pause)
  pause = undefined
})

/**
 * Calls `send` whenever it is worth trying to send: on a pause's end, when the network is back, when the page is looked at. It answers
 * whether it has anything to send.
 */
export function addSender(send: () => boolean): void {
  senders.add(send)
}

/** Whether nothing is to be sent now: nobody is signed in for certain, or the server did not answer and the pause is not over. */
export function isSendingPaused(): boolean {
  return events === null || !isSessionKnown || pause !== undefined
}

/** Sends nothing until the server says who is signed in: what one person captured is never sent as another's. */
export function holdSending(isHeld: boolean): void {
  isSessionKnown = !isHeld
  if (isHeld) useDrafts.setState({ isServerAway: true })
  else sendNow()
}

/** Sends now whatever waits for the server. */
export function sendNow(): void {
  clearTimeout(pause)
  pause = undefined
  if (isSendingPaused()) return
  const isSending = [...senders].map((send) => send()).includes(true)
  // With nothing to send nobody finds out whether the server is back: it is no longer said to be away.
  if (!isSending && navigator.onLine) noteServerResponded()
}

/** The server responded: nothing keeps anything else from being sent. */
export function noteServerResponded(): void {
  pauseMs = 0
  if (useDrafts.getState().isServerAway) useDrafts.setState({ isServerAway: false })
}

/** Whether the request may succeed later unchanged. Any response of another server counts: a portal's sign-in page does. */
export function isAway(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'AbortError') return false
  return !(error instanceof ApiError) || error.status >= 500 || passing.has(error.status)
}

/** Pauses all sending after an error that {@link isAway}; each pause is twice as long as the one before. */
export function pauseSending(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) events?.onSignedOut()
  // Once, not with every try.
  if (error instanceof ApiError && error.status === 507 && pauseMs === 0) events?.onNoRoom(error)
  useDrafts.setState({ isServerAway: true })
  pauseMs = Math.min(pauses.mostMs, pauseMs === 0 ? pauses.firstMs : pauseMs * 2)
  clearTimeout(pause)
  pause = setTimeout(sendNow, pauseMs)
}

/** Lets things be sent while someone is signed in. Returns the function that stops it. */
export function startSending(handlers: SendingEvents): () => void {
  events = handlers
  const onLook = () => {
    if (document.visibilityState === 'visible') sendNow()
  }
  const onOffline = () => useDrafts.setState({ isServerAway: true })
  window.addEventListener('online', sendNow)
  window.addEventListener('offline', onOffline)
  document.addEventListener('visibilitychange', onLook)
  return () => {
    events = null
    window.removeEventListener('online', sendNow)
    window.removeEventListener('offline', onOffline)
    document.removeEventListener('visibilitychange', onLook)
  }
}

/** Runs `work` while no other window of this browser runs work of the same name. */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  return navigator.locks.request(`outlay ${name}`, work)
}
