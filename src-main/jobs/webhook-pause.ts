import type { Clock } from '#main/clock'
import { mostAttempts } from '#shared/domain/webhook-events'

/** The longest pause, as a power of two of the first one: 256 times it. */
const mostDoublings = 8

/**
 * How long to leave a receiver alone after a failed attempt, in milliseconds. The series of pauses belongs to the receiver, not to
 * the delivery: it doubles with each failure since the receiver last returned 200, up to 256 times `backoffMs`, and carries over
 * when one delivery is dropped and the next one begins. So every event has its six attempts, in order, none is lost, and a
 * receiver that stays away gets fewer and fewer requests instead of every queued event at full speed; its first 200
 * ends the series. A random quarter more or less keeps receivers that failed together from being retried together.
 */
export function pauseAfter(clock: Clock, failures: number, backoffMs: number): number {
  const share = Number.parseInt(clock.secret(2), 16) / 0xffff
  return backoffMs * 2 ** Math.min(Math.max(failures, 1) - 1, mostDoublings) * (0.75 + share / 2)
}

/** Failures since the receiver last returned 200: the tries at this delivery, and all those at the ones dropped before it. */
export function failuresOf({ attempts, droppedBefore }: { attempts: number; droppedBefore: number }): number {
  return attempts + droppedBefore * mostAttempts
}
