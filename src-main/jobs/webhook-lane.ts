import type { Row } from '#db/schema'
import { withAbsoluteLinks } from '#shared/contract/absolute-links'
import { mostAttempts } from '#shared/domain/webhook-events'
import type { Clock } from '#main/clock'
import { type Tried, countDroppedBefore, findReceiver, listWaiting } from '#main/store/queues/webhook-queue'
import type { JobDeps } from './job-deps'
import type { Outcomes } from './webhook-outcomes'
import type { Sender } from './webhook-sender'

/** The longest pause, as a power of two of the first one: 256 times it. */
const mostDoublings = 8

/**
 * How long to wait after a failed try, in milliseconds. The pauses belong to the receiver, not to the delivery: they double with each failure since
 * the receiver's last 200, up to 256 times `backoffMs`, and continue when one delivery is dropped and the next begins. So every event has its six
 * tries, in order, and a receiver that stays away gets fewer and fewer requests; its first 200 resets the pauses. A random quarter more or less keeps
 * receivers that failed together from being retried together.
 */
export function pauseAfter(clock: Clock, failures: number, backoffMs: number): number {
  const share = Number.parseInt(clock.secret(2), 16) / 0xffff
  return backoffMs * 2 ** Math.min(Math.max(failures, 1) - 1, mostDoublings) * (0.75 + share / 2)
}

/** Failures since the receiver's last 200: the tries of this delivery, and those of deliveries dropped directly before it. */
export function failuresOf({ attempts, droppedBefore }: { attempts: number; droppedBefore: number }): number {
  return attempts + droppedBefore * mostAttempts
}

/** What sending to a webhook needs. */
export interface LaneDeps extends Pick<JobDeps, 'store' | 'clock' | 'settings' | 'public_url'> {
  readonly sender: Sender
  readonly outcomes: Outcomes
}

/** The name of the work of sending to webhooks: one server does it, so that deliveries stay in order. */
export const webhookWork = 'webhooks'

/** The most deliveries that a lane sends before others get a turn. */
const laneLength = 64

/**
 * Sends some of a webhook's waiting deliveries in order: each request waits for the 200 of the one before, and a failure holds back the rest. Ends
 * when all outcomes are stored, so that the next slice begins where this one ended.
 */
export async function runLane(deps: LaneDeps, webhook_id: number): Promise<void> {
  const stored: Promise<void>[] = []
  try {
    for (const delivery of await listWaiting(deps.store.reader, { webhook_id, limit: laneLength })) {
      if (delivery.next_attempt_at !== null && Date.parse(delivery.next_attempt_at) > deps.clock.now().getTime()) break
      // Another server sends once this one has lost the work.
      if (deps.store.peers?.hasWork(webhookWork) === false) break
      const tried = await tryOnce(deps, delivery)
      if (tried === undefined) break
      stored.push(deps.outcomes.note(tried))
      if (tried.result.kind !== 'delivered') break
    }
  } finally {
    await Promise.all(stored)
  }
}

/** Sends one delivery; undefined if there is no outcome: the webhook was deleted, or the program is ending. */
async function tryOnce(deps: LaneDeps, delivery: Row<'webhook_deliveries'>): Promise<Tried | undefined> {
  const { store, clock, settings, sender, public_url } = deps
  const receiver = await findReceiver(store.reader, delivery.webhook_id)
  if (!receiver) return undefined
  const { uid: delivery_uid } = delivery
  const body = toSentBody(delivery.body, public_url())
  const outcome = await sender.send({ ...receiver, request_id: clock.uid(), delivery_uid, body })
  if (outcome.kind === 'interrupted') return undefined
  if (outcome.kind === 'delivered') return { delivery, status: 200, error: null, result: { kind: 'delivered' } }
  const attempts = delivery.attempts + 1
  const droppedBefore = await countDroppedBefore(store.reader, delivery)
  const pauseMs = pauseAfter(clock, failuresOf({ attempts, droppedBefore }), settings.OUTLAY_WEBHOOK_BACKOFF_MS)
  const at = new Date(clock.now().getTime() + pauseMs).toISOString()
  const result = attempts < mostAttempts ? ({ kind: 'again', at } as const) : ({ kind: 'dropped', nextAt: at } as const)
  return { delivery, status: outcome.status, error: outcome.error, result }
}

/** Makes the relative paths of a stored body absolute, with the address at which people reach this instance. */
function toSentBody(stored: string, public_url: string): string {
  const body: unknown = JSON.parse(stored)
  return JSON.stringify(withAbsoluteLinks(body, `${public_url.replace(/\/+$/, '')}/api/v1`))
}
