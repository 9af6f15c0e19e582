import { toInstant } from '#shared/domain/dates'
import type { NotificationHeap } from '#main/store/queues/notification-queue'

/** When to send waiting notifications: after `quietMs` without new ones, or `longestMs` after the first. */
export interface Patience {
  readonly quietMs: number
  readonly longestMs: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The waits after each failed try: eight tries within a day. */
const waitsMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs]

/** When to send a heap, in milliseconds since 1970. */
export function dueAtMs({ first_at, last_at, retry_at }: NotificationHeap, { quietMs, longestMs }: Patience): number {
  const fresh = first_at && last_at ? Math.min(Date.parse(last_at) + quietMs, Date.parse(first_at) + longestMs) : Infinity
  return Math.min(fresh, retry_at === null ? Infinity : Date.parse(retry_at))
}

/** When to retry after this many failed tries; undefined after the last. */
export function nextAttemptAt(attempts: number, now: Date): string | undefined {
  const waitMs = waitsMs[attempts - 1]
  return waitMs === undefined ? undefined : toInstant(new Date(now.getTime() + waitMs))
}
