import type { Actor, Store } from '#main/store/core/store'
import { type Tried, listWebhookOwners, settleDelivery } from '#main/store/queues/webhook-queue'

/** Who writes what becomes of deliveries. */
export const deliverer: Actor = { user_id: 0, origin: 'webhooks', request_id: null, if_match: null }

/** Notes what becomes of deliveries. */
export interface Outcomes {
  /** Resolves when it is durable. */
  note(tried: Tried): Promise<void>
}

/** How long an outcome waits for others to share its commit with. */
const gatherMs = 25

/**
 * Writes what became of the deliveries of all webhooks together: each commit waits for the disk and holds the thread up, and a
 * fast receiver would cause hundreds a second. An outcome that is lost in a crash is a delivery that is sent again, which
 * "at least once" allows; that it is written a moment after the next request went out is therefore no harm.
 */
export function createOutcomes(store: Store): Outcomes {
  let waiting: Tried[] = []
  let written: Promise<void> | undefined
  const write = async () => {
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    const tried = waiting
    waiting = []
    written = undefined
    await store.transact(deliverer, async (tx) => {
      for (const one of tried) await settleDelivery(tx, one)
      for (const organization_id of await listWebhookOwners(tx, [...new Set(tried.map(({ delivery }) => delivery.webhook_id))]))
        tx.signal({ topic: 'webhook_deliveries', organization_id })
    })
  }
  return {
    note: (tried) => {
      waiting.push(tried)
      written ??= write()
      return written
    },
  }
}
