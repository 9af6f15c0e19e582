import { dropWaiting, listQueueHeads, type QueueHead } from '#main/store/queues/webhook-queue'
import type { JobDeps } from './job-deps'
import { type Job, type Round, createLoop } from './loop'
import { type LaneDeps, runLane, webhookWork } from './webhook-lane'
import { createOutcomes, deliverer } from './webhook-outcomes'
import { createSender } from './webhook-sender'

/** The most webhooks that are sent to at once. */
const mostLanes = 16
/** The most of those that may be receivers that failed last: they can take until the time-out, and others must not wait for it. */
const mostFailingLanes = 8
/** Deliveries to a deleted webhook that are dropped in one transaction. */
const dropLength = 500

interface Lane {
  readonly isFailing: boolean
  readonly ended: Promise<void>
}

/**
 * Sends events to webhooks (contract 6.2). All state is in the database: a delivery waits until its 200 is stored, so nothing is lost however the
 * program ends, and a request without a stored outcome is sent again.
 */
export function deliverWebhooks(deps: JobDeps): Job {
  const { OUTLAY_WEBHOOK_TIMEOUT_MS: timeoutMs, OUTLAY_WEBHOOK_ALLOW_PRIVATE: allowsPrivate } = deps.settings
  const sender = createSender({ timeoutMs, allowsPrivate })
  const laneDeps = { ...deps, sender, outcomes: createOutcomes(deps.store) }
  const report = (error: unknown) => deps.log.error({ err: error }, 'webhooks could not be told')
  const lanes = new Map<number, Lane>()
  const loop = createLoop({ ...deps, name: webhookWork }, () => startLanes(laneDeps, lanes, start), report)
  let isClosed = false
  function start({ webhook_id, attempts }: QueueHead): void {
    if (isClosed) return
    const ended = runLane(laneDeps, webhook_id)
      .catch(report)
      .then(() => {
        lanes.delete(webhook_id)
        loop.wake()
      })
    lanes.set(webhook_id, { isFailing: attempts > 0, ended })
  }
  return {
    wake: () => loop.wake(),
    close: async () => {
      isClosed = true
      await loop.close()
      sender.close()
      await Promise.all([...lanes.values()].map(({ ended }) => ended))
    },
  }
}

/** Starts a lane for each webhook with waiting deliveries and no lane, as long as lanes are free. */
async function startLanes({ store, clock }: LaneDeps, lanes: ReadonlyMap<number, Lane>, start: (head: QueueHead) => void): Promise<Round> {
  const now = clock.now().getTime()
  let afterMs = Infinity
  for (const head of await listQueueHeads(store.reader)) {
    if (lanes.has(head.webhook_id)) continue
    if (head.gone_at !== null) {
      await store.transact(deliverer, (tx) => dropWaiting(tx, { webhook_id: head.webhook_id, limit: dropLength }))
      return { kind: 'again' }
    }
    const waitMs = head.next_attempt_at === null ? 0 : Date.parse(head.next_attempt_at) - now
    if (waitMs > 0) afterMs = Math.min(afterMs, waitMs)
    else if (hasRoom(lanes, head)) start(head)
  }
  return { kind: 'later', afterMs }
}

/** Whether a lane is free for this webhook. A lane that ends wakes the job, which then starts the next. */
function hasRoom(lanes: ReadonlyMap<number, Lane>, { attempts }: QueueHead): boolean {
  const failing = [...lanes.values()].filter(({ isFailing }) => isFailing).length
  return lanes.size < mostLanes && (attempts === 0 || failing < mostFailingLanes)
}
