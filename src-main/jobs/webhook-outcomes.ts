import type { Actor, Store } from '#main/store/core/store'
import { type Tried, listWebhookOwners, settleDelivery } from '#main/store/queues/webhook-queue'

/** The actor that stores outcomes of deliveries. */
export const deliverer: Actor = { user_id: 0, origin: 'webhooks', request_id: null, if_match: null }

/** Stores the outcomes of deliveries. */
export interface Outcomes {
  /** Resolves when the outcome is durable. */
  note(tried: Tried): Promise<void>
}

/** How long an outcome waits for others to share its commit. */
const gatherMs = 25

/**
 * Stores the outcomes of all webhooks' deliveries together: each commit waits for the disk and blocks the thread, and a fast receiver would cause
 * hundreds a second. An outcome lost in a crash means that a delivery is sent again, which "at least once" allows; so it may be stored after the next
 * request was sent.
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
