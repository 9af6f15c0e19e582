import type { NotificationChannel } from '#shared/contract/notifications'
import type { Actor } from '#main/store/core/store'
import { type NotificationHeap, listNotificationHeaps } from '#main/store/queues/notification-queue'
import {
  type DeliveryOutcome,
  type Patience,
  type Told,
  dueAtMs,
  listDeliveries,
  settleDelivery,
} from '#main/use-cases/notifications/deliveries'
import { readTelling, storeTelling } from '#main/use-cases/notifications/fan-out'
import type { JobDeps } from './job-deps'
import { type Job, type Round, createLoop } from './loop'

/** Wakes a job once for everything that happens within a moment: a thousand commits in a batch count as one. */
function gather(job: Job, withinMs: number): Job {
  let timer: NodeJS.Timeout | undefined
  return {
    wake: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        job.wake()
      }, withinMs)
      timer.unref()
    },
    close: () => {
      clearTimeout(timer)
      return job.close()
    },
  }
}

/** The notifier acts as no user. */
export const notifier: Actor = { user_id: 0, origin: 'notifications', request_id: null, if_match: null }

/**
 * How long to collect commits before reading the trail, in milliseconds: a tenth of a message's quiet period, so that a batch of approvals is
 * complete before its recipients are found.
 */
function gatherMsOf({ settings }: Pick<JobDeps, 'settings'>): number {
  return Math.min(1_000, Math.ceil(settings.OUTLAY_MAIL_DIGEST_MS / 10))
}

/**
 * Follows the audit trail and stores the recipients of each event (contract 6.3). The trail is the queue: entries after the cursor are unprocessed,
 * even after a crash.
 */
export function followTrail(deps: JobDeps): Job {
  const loop = createLoop(
    { ...deps, name: 'notifications' },
    () => notifyNext(deps),
    (error) => deps.log.error({ err: error }, 'notifications could not be written'),
  )
  // At once, so that a new instance starts with events from now on.
  loop.wake()
  return gather(loop, gatherMsOf(deps))
}

async function notifyNext({ store }: JobDeps): Promise<Round> {
  const telling = await store.asRequest(() => readTelling(store.reader))
  if (!telling) return { kind: 'later', afterMs: Infinity }
  await store.transact(notifier, (tx) => storeTelling(tx, telling))
  return { kind: 'again' }
}

/** What happened to some notifications of a heap. */
export interface Delivered {
  readonly told: readonly Told[]
  readonly outcome: DeliveryOutcome
}

/** A way to send notifications. */
interface Courier {
  readonly channel: NotificationChannel
  readonly patience: Patience
  /** Sends a recipient's notifications and yields each outcome, without holding the database. */
  deliver(heap: NotificationHeap, told: readonly Told[]): AsyncIterable<Delivered>
}

/** A job that sends heaps of notifications that have waited long enough. */
export function deliverBy(courier: Courier, deps: JobDeps): Job {
  const loop = createLoop(
    { ...deps, name: `${courier.channel} notifications` },
    () => deliverNext(courier, deps),
    (error) => deps.log.error({ err: error, channel: courier.channel }, 'notifications could not be sent'),
  )
  return gather(loop, gatherMsOf(deps))
}

async function deliverNext(courier: Courier, deps: JobDeps): Promise<Round> {
  const { channel, patience } = courier
  const nowMs = deps.clock.now().getTime()
  const heaps = await listNotificationHeaps(deps.store.reader, channel)
  const waitsMs = heaps.map((heap) => dueAtMs(heap, patience) - nowMs)
  for (const [index, heap] of heaps.entries()) if ((waitsMs[index] ?? 0) <= 0) await deliverHeap(courier, deps, heap)
  return waitsMs.some((waitMs) => waitMs <= 0) ? { kind: 'again' } : { kind: 'later', afterMs: Math.min(...waitsMs) }
}

async function deliverHeap(courier: Courier, { store, log }: JobDeps, heap: NotificationHeap): Promise<void> {
  const { told, dropped } = await listDeliveries(store.reader, heap, courier.channel)
  if (dropped.length > 0) await store.transact(notifier, (tx) => settleDelivery(tx, dropped, { kind: 'ended', reason: 'no longer wanted' }))
  const open = new Set(told)
  const settle = async ({ told: some, outcome }: Delivered) => {
    for (const one of some) open.delete(one)
    const rows = some.map(({ row }) => row)
    await store.transact(notifier, (tx) => settleDelivery(tx, rows, outcome))
  }
  try {
    if (told.length > 0) for await (const delivered of courier.deliver(heap, told)) await settle(delivered)
  } catch (error) {
    // One failure must not stop notifications to others.
    log.error({ err: error, channel: courier.channel, user_id: heap.user_id }, 'a notification could not be sent')
    await settle({ told: [...open], outcome: { kind: 'failed', reason: error instanceof Error ? error.message : String(error) } })
  }
}
