import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SharedNotes } from '#main/store/core/engine'

interface Limit {
  /** How many requests a minute a caller may make. */
  readonly limit: number
  /** Where servers that share a database count them together. */
  readonly notes: SharedNotes | undefined
  /** Who a request counts for. */
  readonly keyOf: (request: FastifyRequest) => string
}

/** Lets each caller make so many requests a minute, where the operator sets a limit (supplement, "Rate limits"). */
export async function limitRate(api: FastifyInstance, { limit: max, notes, keyOf: keyGenerator }: Limit): Promise<void> {
  if (max === 0) return
  await api.register(await import('@fastify/rate-limit'), {
    max,
    timeWindow: '1 minute',
    // After authentication: one user is one caller, wherever they are; unknown callers are distinguished by their network.
    hook: 'preHandler',
    keyGenerator,
    ...(notes && { store: storeOf(notes) }),
  })
}

type Counted = (error: Error | null, counted?: { current: number; ttl: number }) => void

/** A store of the rate limit's kind over notes that servers share. */
function storeOf(notes: SharedNotes) {
  return class SharedStore {
    incr(key: string, counted: Counted, windowMs: number): void {
      notes.count(`rate ${key}`, windowMs).then(
        ({ count, leftMs }) => counted(null, { current: count, ttl: leftMs }),
        (error: Error) => counted(error),
      )
    }
    child(): SharedStore {
      return this
    }
  }
}
