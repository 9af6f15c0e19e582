import type { Clock } from '#main/clock'
import { mostAttempts } from '#shared/domain/webhook-events'

/** The longest pause, as a power of two of the first one: 256 times it. */
const mostDoublings = 8

/**
 * How long to wait after a failed try, in milliseconds. The pauses belong to the receiver, not to the delivery: they double with each failure since
 * the receiver's last 200, up to 256 times `backoffMs`, and continue when one delivery is dropped and the next begins. So every event has its six
 * tries, in order, and a receiver that stays away gets fewer and fewer requests; its first 200 resets the pauses. A random quarter more or less keeps
 * receivers that failed together from being retried together.
 */
export function pauseAfter(clock: Clock, failures: number, backoffMs: number): number {
  const share = Number.parseInt(clock.secret(2), 16) / 0xffff
  return backoffMs * 2 ** Math.min(Math.max(failures, 1) - 1, mostDoublings) * (0.75 + share / 2)
}

/** Failures since the receiver's last 200: the tries of this delivery, and those of deliveries dropped directly before it. */
export function failuresOf({ attempts, droppedBefore }: { attempts: number; droppedBefore: number }): number {
  return attempts + droppedBefore * mostAttempts
}
