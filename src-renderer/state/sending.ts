import type { Capture } from '#shared/contract/captures'
import type { Expense } from '#shared/contract/expenses'
import { ApiError } from '../api/client'
import { createPageStore, onReset } from '../api/page/page-state'
import type { Draft } from './draft'

/** What the interface learns while things are sent. */
export type SendingEvent =
  /** The expense is recorded; its receipts may still be on their way. */
  | { readonly kind: 'recorded'; readonly expense: Expense }
  /** The server rejects the draft; the person can change it and send it again. */
  | { readonly kind: 'rejected'; readonly draft: Draft; readonly error: ApiError }
  /** Files are captures now. */
  | { readonly kind: 'captured'; readonly captures: readonly Capture[] }
  /** A capture is on an expense. */
  | { readonly kind: 'attached'; readonly capture_id: number }
  /** A file was added to an expense that was recorded before. */
  | { readonly kind: 'added'; readonly name: string }
  | { readonly kind: 'signed_out' }
  /** The server has no room for what was entered; it is sent again automatically. */
  | { readonly kind: 'no_room'; readonly error: ApiError }

/** One thing to send. Jobs run concurrently; two windows never do the job of one name at once. Throws what it may be tried again after. */
export interface Job {
  readonly name: string
  readonly run: (signal: AbortSignal) => Promise<void>
}

/** Where jobs come from. `refresh`: looks for more, and calls {@link sendWaiting}. */
export interface JobSource {
  readonly jobs: () => Iterable<Job>
  readonly refresh?: () => void
}

/** Whether the last try to send got no answer. */
export const useSending = createPageStore(() => ({ isServerAway: false }))

const pauses = { firstMs: 1000, mostMs: 30_000 }
/** Responses after which the same request is worth sending again; every 5xx is too. */
const passing = new Set([0, 401, 408, 409, 425, 429])
/** A browser opens six connections to a server. */
const mostAtOnce = 6

const running = new Map<string, AbortController>()
let sources: readonly JobSource[] = []
let tell: ((event: SendingEvent) => void) | null = null
let isSessionKnown = true
let pauseMs = 0
let pause: ReturnType<typeof setTimeout> | undefined
onReset(() => {
  for (const job of running.values()) job.abort()
  running.clear()
  isSessionKnown = true
  pauseMs = 0
  clearTimeout(pause)
  pause = undefined
})

/** Tells the interface. */
export function emit(event: SendingEvent): void {
  tell?.(event)
}

/** Starts whatever can be started now: nothing while nobody is signed in for certain, or the server did not answer and the pause is not over. */
export function sendWaiting(): void {
  if (tell === null || !isSessionKnown || pause !== undefined) return
  for (const { jobs } of sources)
    for (const job of jobs()) {
      if (running.size >= mostAtOnce) return
      if (!running.has(job.name)) void start(job)
    }
}

async function start({ name, run }: Job): Promise<void> {
  const controller = new AbortController()
  running.set(name, controller)
  try {
    await withLock(name, () => run(controller.signal))
    noteServerResponded()
  } catch (error) {
    if (isAway(error)) pauseSending(error)
  } finally {
    if (running.get(name) === controller) running.delete(name)
  }
  sendWaiting()
}

/** Stops a job; returns whether it was running. */
export function stopJob(name: string): boolean {
  running.get(name)?.abort()
  return running.has(name)
}

/** Sends now whatever waits for the server, without waiting for the end of a pause. */
export function sendNow(): void {
  clearTimeout(pause)
  pause = undefined
  sendWaiting()
  if (tell === null || !isSessionKnown) return
  for (const { refresh } of sources) refresh?.()
  // With nothing to send nobody finds out whether the server is back: it is no longer said to be away.
  if (running.size === 0 && navigator.onLine) noteServerResponded()
}

/** Sends nothing until the server says who is signed in: what one person captured is never sent as another's. */
export function holdSending(isHeld: boolean): void {
  isSessionKnown = !isHeld
  if (isHeld) useSending.setState({ isServerAway: true })
  else sendNow()
}

function noteServerResponded(): void {
  pauseMs = 0
  if (useSending.getState().isServerAway) useSending.setState({ isServerAway: false })
}

/** Whether the request may succeed later unchanged. Any response of another server counts: a portal's sign-in page does. */
export function isAway(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'AbortError') return false
  return !(error instanceof ApiError) || error.status >= 500 || passing.has(error.status)
}

/** Pauses all sending after an error that {@link isAway}; each pause is twice as long as the one before. */
function pauseSending(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) emit({ kind: 'signed_out' })
  // Once, not with every try.
  if (error instanceof ApiError && error.status === 507 && pauseMs === 0) emit({ kind: 'no_room', error })
  useSending.setState({ isServerAway: true })
  pauseMs = Math.min(pauses.mostMs, pauseMs === 0 ? pauses.firstMs : pauseMs * 2)
  clearTimeout(pause)
  pause = setTimeout(sendNow, pauseMs)
}

/** Sends the jobs of these sources, the first of them first, while someone is signed in. Returns the function that stops it. */
export function startSending(from: readonly JobSource[], onEvent: (event: SendingEvent) => void): () => void {
  sources = from
  tell = onEvent
  const onLook = () => {
    if (document.visibilityState === 'visible') sendNow()
  }
  const onOffline = () => useSending.setState({ isServerAway: true })
  window.addEventListener('online', sendNow)
  window.addEventListener('offline', onOffline)
  document.addEventListener('visibilitychange', onLook)
  return () => {
    tell = null
    window.removeEventListener('online', sendNow)
    window.removeEventListener('offline', onOffline)
    document.removeEventListener('visibilitychange', onLook)
  }
}

/** Pages on plain HTTP have no locks: there two windows may do the same job, once for the server by its key. */
async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  await ('locks' in navigator ? navigator.locks.request(`outlay ${name}`, work) : work())
}
