import { toInstant } from '#shared/domain/dates'
import { pruneDeliveries } from '#main/store/queues/webhook-queue'
import type { JobDeps } from './job-deps'
import { type Job, createLoop } from './loop'
import { deliverer } from './webhook-outcomes'

const dayMs = 24 * 60 * 60 * 1000
/** How long the log of deliveries goes back. */
const keptMs = 30 * dayMs
const everyMs = dayMs / 24
/** Deleted in one transaction: other writers wait for no more than this. */
const sliceLength = 200

/** Forgets what was delivered or dropped 30 days ago: once an hour, in slices. */
export function pruneWebhookLog({ store, clock, log }: JobDeps): Job {
  let ranAtMs = -Infinity
  const round = async () => {
    const waitMs = ranAtMs + everyMs - clock.monotonicMs()
    if (waitMs > 0) return { kind: 'later', afterMs: waitMs } as const
    const before = toInstant(new Date(clock.now().getTime() - keptMs))
    const pruned = await store.transact(deliverer, (tx) => pruneDeliveries(tx, { before, limit: sliceLength }))
    if (pruned < sliceLength) ranAtMs = clock.monotonicMs()
    return { kind: 'again' } as const
  }
  return createLoop({ store, name: 'webhook log' }, round, (error) => log.error({ err: error }, 'old deliveries could not be forgotten'))
}
