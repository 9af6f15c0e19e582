import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Row } from '#db/schema'
import type { NotificationChannel } from '#shared/contract/notifications'
import { toInstant } from '#shared/domain/dates'
import type { Reader, Tx } from '#main/store/core/store'
import {
  type NotificationHeap,
  forgetNotificationsSentBefore,
  listWaitingNotifications,
  settleNotification,
} from '#main/store/queues/notification-queue'
import { type Activity, listActivitiesByIds } from '#main/store/records/conversations/activity-reader'
import { findSwitches } from '#main/store/records/users/notification-preferences'
import { listAudience, notificationEventOf } from './audience'
import { type NotifiedItem, findNotifiedItem } from './find-notified-item'

/** When to send waiting notifications: after `quietMs` without new ones, or `longestMs` after the first. */
export interface Patience {
  readonly quietMs: number
  readonly longestMs: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The waits after each failed try: eight tries within a day. */
const waitsMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs]

/** When to send a heap, in milliseconds since 1970. */
export function dueAtMs({ first_at, last_at, retry_at }: NotificationHeap, { quietMs, longestMs }: Patience): number {
  const fresh = first_at && last_at ? Math.min(Date.parse(last_at) + quietMs, Date.parse(first_at) + longestMs) : Infinity
  return Math.min(fresh, retry_at === null ? Infinity : Date.parse(retry_at))
}

/** When to retry after this many failed tries; undefined after the last. */
function nextAttemptAt(attempts: number, now: Date): string | undefined {
  const waitMs = waitsMs[attempts - 1]
  return waitMs === undefined ? undefined : toInstant(new Date(now.getTime() + waitMs))
}

type Notification = Row<'notifications'>

/** A notification to send, with its activity. */
export interface Told {
  readonly row: Notification
  readonly activity: Activity
  /** The money of the activity; undefined for memberships. */
  readonly item: NotifiedItem | undefined
}

/** The most notifications in one message. */
const mostAtOnce = 1000
/** How many to check or store before other work gets a turn. */
const turnLength = 20
const longestReason = 500
/** How long sent notifications are kept, in milliseconds. */
const rememberedMs = 90 * 24 * 60 * 60 * 1000

/** The result of a try. `failed` may be retried, `ended` not. */
export type DeliveryOutcome =
  { readonly kind: 'sent' } | { readonly kind: 'failed'; readonly reason: string } | { readonly kind: 'ended'; readonly reason: string }

/**
 * A user's waiting notifications, oldest first. `told`: still wanted and visible; `dropped`: no longer, as preferences or visibility may have changed
 * since.
 */
export async function listDeliveries(
  reader: Reader,
  heap: NotificationHeap,
  channel: NotificationChannel,
): Promise<{ told: Told[]; dropped: Notification[] }> {
  const rows = await listWaitingNotifications(reader, heap, { channel, limit: mostAtOnce })
  const ids = rows.flatMap(({ activity_id }) => activity_id ?? [])
  const activities = new Map((await listActivitiesByIds(reader, ids)).map((activity) => [activity.id, activity]))
  const told: Told[] = []
  const dropped: Notification[] = []
  for (const [index, row] of rows.entries()) {
    if (index % turnLength === turnLength - 1) await nextTurn()
    const activity = activities.get(row.activity_id ?? 0)
    if (activity && (await isWanted(reader, activity, { user_id: heap.user_id, channel })))
      told.push({ row, activity, item: await findNotifiedItem(reader, activity) })
    else dropped.push(row)
  }
  return { told, dropped }
}

async function isWanted(
  reader: Reader,
  activity: Activity,
  { user_id, channel }: { user_id: number; channel: NotificationChannel },
): Promise<boolean> {
  const event = notificationEventOf(activity)
  if (event === undefined || !(await findSwitches(reader, { user_id, event }))[channel]) return false
  return (await listAudience(reader, activity)).includes(user_id)
}

/** Stores the result of a try, and when the next one is. */
export async function settleDelivery(tx: Tx, rows: readonly Notification[], outcome: DeliveryOutcome): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (index % turnLength === turnLength - 1) await nextTurn()
    await settleNotification(tx, row, changeOf(row, outcome, tx))
  }
  const before = new Date(tx.clock.now().getTime() - rememberedMs)
  if (outcome.kind === 'sent') await forgetNotificationsSentBefore(tx, toInstant(before))
}

function changeOf(row: Notification, outcome: DeliveryOutcome, { now, clock }: Tx): Partial<Notification> {
  if (outcome.kind === 'sent') return { state: 'sent', sent_at: now, next_attempt_at: null, last_error: null }
  const last_error = outcome.reason.slice(0, longestReason)
  if (outcome.kind === 'ended') return { state: 'failed', last_error, next_attempt_at: null }
  // It was only sent along with others that were due.
  if (row.next_attempt_at !== null && row.next_attempt_at > now) return {}
  const attempts = row.attempts + 1
  const next_attempt_at = nextAttemptAt(attempts, clock.now())
  return next_attempt_at === undefined
    ? { state: 'failed', attempts, last_error, next_attempt_at: null }
    : { attempts, last_error, next_attempt_at }
}
