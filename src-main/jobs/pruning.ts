import { toInstant } from '#shared/domain/dates'
import { deleteStoredResponses } from '#main/store/core/idempotency-keys'
import type { Tx } from '#main/store/core/store'
import { pruneDeliveries } from '#main/store/queues/webhook-queue'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'
import { deliverer } from './webhook-outcomes'

const dayMs = 24 * 60 * 60 * 1000
const everyMs = dayMs / 24
/** Deleted in one transaction: other writers wait for no more than this. */
const sliceLength = 200

/** What is forgotten when it is old. `isLocal`: a replica has its own. */
interface Pruned {
  readonly name: string
  readonly keptMs: number
  readonly isLocal: boolean
  readonly prune: (tx: Tx, query: { before: string; limit: number }) => Promise<number>
}

/** Forgets what was delivered or dropped 30 days ago. */
export const pruneWebhookLog = hourly({ name: 'old deliveries', keptMs: 30 * dayMs, isLocal: false, prune: pruneDeliveries })

/**
 * Forgets the responses to requests with an `Idempotency-Key`. They are promised for 30 days; a device that was away for a season still
 * learns that what it sent has been done.
 */
export const pruneResponses = hourly({ name: 'old responses', keptMs: 90 * dayMs, isLocal: true, prune: deleteStoredResponses })

/** Once an hour, in slices. */
function hourly({ name, keptMs, isLocal, prune }: Pruned): (deps: JobDeps) => Job {
  return ({ store, clock, log }) => {
    let ranAtMs = -Infinity
    const round = async () => {
      const waitMs = ranAtMs + everyMs - clock.monotonicMs()
      if (waitMs > 0) return { kind: 'later', afterMs: waitMs } as const
      const before = toInstant(new Date(clock.now().getTime() - keptMs))
      const pruned = await store.transact(deliverer, (tx) => prune(tx, { before, limit: sliceLength }))
      if (pruned < sliceLength) ranAtMs = clock.monotonicMs()
      return { kind: 'again' } as const
    }
    return createLoop({ store, name, isLocal }, round, (err) => log.error({ err }, `${name} could not be forgotten`))
  }
}
