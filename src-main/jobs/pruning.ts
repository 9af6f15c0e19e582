import { toInstant } from '#shared/domain/dates'
import { deleteStoredResponses } from '#main/store/core/idempotency-keys'
import type { Tx } from '#main/store/core/store'
import { pruneDeliveries } from '#main/store/queues/webhook-queue'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'
import { deliverer } from './webhook-outcomes'

const dayMs = 24 * 60 * 60 * 1000
const everyMs = dayMs / 24
/** Rows deleted in one transaction, which other writers wait for. */
const sliceLength = 200

/** What is deleted when it is old. `isLocal`: also on a replica. */
interface Pruned {
  readonly name: string
  readonly keptMs: number
  readonly isLocal: boolean
  readonly prune: (tx: Tx, query: { before: string; limit: number }) => Promise<number>
}

/** Deletes deliveries that were delivered or dropped 30 days ago. */
export const pruneWebhookLog = hourly({ name: 'old deliveries', keptMs: 30 * dayMs, isLocal: false, prune: pruneDeliveries })

/**
 * Deletes responses to requests with an `Idempotency-Key`. 30 days are promised; a device that was away for a season still learns that its requests
 * were done.
 */
export const pruneResponses = hourly({ name: 'old responses', keptMs: 90 * dayMs, isLocal: true, prune: deleteStoredResponses })

/** Runs once an hour, in slices. */
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
