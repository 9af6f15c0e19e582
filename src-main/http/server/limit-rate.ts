import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SharedNotes } from '#main/store/core/engine'

interface Limit {
  /** Requests per caller and minute. */
  readonly limit: number
  /** Shared counters, for servers on one database. */
  readonly notes: SharedNotes | undefined
  /** The caller for whom a request counts. */
  readonly keyOf: (request: FastifyRequest) => string
}

/** Limits each caller's requests per minute, if the operator sets a limit (supplement, "Rate limits"). */
export async function limitRate(api: FastifyInstance, { limit: max, notes, keyOf: keyGenerator }: Limit): Promise<void> {
  if (max === 0) return
  await api.register(await import('@fastify/rate-limit'), {
    max,
    timeWindow: '1 minute',
    // After authentication: one user is one caller everywhere; unknown callers are distinguished by network.
    hook: 'preHandler',
    keyGenerator,
    ...(notes && { store: storeOf(notes) }),
  })
}

type Counted = (error: Error | null, counted?: { current: number; ttl: number }) => void

/** A store for the rate limiter on shared counters. */
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
