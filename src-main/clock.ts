import { randomFillSync } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { v7 } from 'uuid'

/** The only source of time and randomness in the main process, so that tests can control both. */
export interface Clock {
  now(): Date
  /** Milliseconds on a monotonic clock; only differences are meaningful. */
  monotonicMs(): number
  /** A new UUIDv7, for a record's `uid`. */
  uid(): string
  /** Unguessable lower-case hexadecimal text of `bytes` bytes, for tokens and secrets. */
  secret(bytes: number): string
}

/** Random bytes are read in blocks: every change needs a few, and a system call for each would be slow. */
const pool = Buffer.alloc(4096)
let used = pool.length

function takeRandom(bytes: number): Buffer {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const taken = pool.subarray(used, used + bytes)
  used += bytes
  return taken
}

function randomHex(bytes: number): string {
  if (bytes > pool.length) return randomFillSync(Buffer.alloc(bytes)).toString('hex')
  const taken = takeRandom(bytes)
  const text = taken.toString('hex')
  // The bytes may be a secret, so they are erased.
  taken.fill(0)
  return text
}

/** Counts within a millisecond, so that uids of this process are in the order in which they were made. */
const latest = { msecs: 0, seq: 0 }

function uuidV7(): string {
  const random = takeRandom(16)
  const now = Date.now()
  latest.seq = now > latest.msecs ? random.readUInt32BE(6) & 0x7fff_ffff : latest.seq + 1
  latest.msecs = Math.max(latest.msecs, now)
  return v7({ random, ...latest })
}

/** The machine's clock and randomness. */
export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now(), uid: uuidV7, secret: randomHex }

/** How long work holds the thread before others get their turn, in milliseconds. */
const turnMs = 5

/** Gives others their turn on the thread where work has held it for a few milliseconds; long work calls what is returned at every step. */
export function createTurns(clock: Pick<Clock, 'monotonicMs'>): () => Promise<void> {
  let since = clock.monotonicMs()
  return async () => {
    if (clock.monotonicMs() - since < turnMs) return
    await nextTurn()
    since = clock.monotonicMs()
  }
}
