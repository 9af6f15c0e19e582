import type { Clock } from '#main/clock'
import { mostAttempts } from '#shared/domain/webhook-events'

/** The longest pause, as a power of two of the first one: 256 times it. */
const mostDoublings = 8

/**
 * How long to leave a receiver alone after a failed try, in milliseconds. The series of pauses belongs to the receiver, not to
 * the delivery: it doubles with each failure since the receiver last answered 200, up to 256 times `backoffMs`, and goes on
 * where one delivery is dropped and the next one begins. So every event has its six tries, in order, none is lost, and a
 * receiver that stays away is asked ever less often instead of being met with every queued event at full speed; its first 200
 * ends the series. A quarter more or less, by chance, keeps many that failed together from coming back together.
 */
export function pauseAfter(clock: Clock, failures: number, backoffMs: number): number {
  const share = Number.parseInt(clock.secret(2), 16) / 0xffff
  return backoffMs * 2 ** Math.min(Math.max(failures, 1) - 1, mostDoublings) * (0.75 + share / 2)
}

/** Failures since the receiver last answered 200: the tries at this delivery, and all those at the ones dropped before it. */
export function failuresOf({ attempts, droppedBefore }: { attempts: number; droppedBefore: number }): number {
  return attempts + droppedBefore * mostAttempts
}
