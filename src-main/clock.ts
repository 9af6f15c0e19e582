import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** The only source of time and chance in the main process, so that a test can hold both. */
export interface Clock {
  /** The present moment. */
  now(): Date
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  monotonicMs(): number
  /** A new UUIDv7: identity of a record (`uid`). */
  uid(): string
  /** Unguessable lower-case hexadecimal text of `bytes` bytes, for tokens and secrets. */
  secret(bytes: number): string
}

/** The machine's own time and chance. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  uid: () => v7(),
  secret: (bytes) => randomBytes(bytes).toString('hex'),
}
