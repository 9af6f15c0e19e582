import type { Row } from '#db/schema'
import type { NotificationEvent } from '#shared/domain/notification-events'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import { listActivitiesAfter } from '#main/store/records/conversations/activity-reader'
import { listDevices } from '#main/store/records/users/device-reader'
import { findSwitches } from '#main/store/records/users/notification-preferences'
import {
  findNewestActivityId,
  findNotificationCursor,
  type NewNotification,
  insertNotifications,
  moveNotificationCursor,
} from '#main/store/queues/notification-queue'
import { isReplica } from '#main/store/sync/replica-state'
import type { Reader, Tx } from '#main/store/core/store'
import { findUser, listEmails } from '#main/store/records/users/user-reader'
import { listAudience, notificationEventOf } from './audience'
import { hereEndpoint } from './tell-here'

/** The most activities per transaction. */
const sliceSize = 100
/** How many activities' audiences to read together. */
const partSize = 10
/** How long it may hold the thread, and block other writers. */
const sliceMs = 8

/** Whether the trail has activities without notifications, or the instance has not started to notify. */
export async function hasNews(reader: Reader): Promise<boolean> {
  const cursor = await findNotificationCursor(reader)
  return cursor === undefined || (await findNewestActivityId(reader)) > cursor
}

/**
 * Writes the notifications of the next activities and moves the cursor past them, in one transaction, so that an interrupted process neither loses
 * nor repeats any. A folder that never notified anyone starts at its current end.
 */
export async function fanOut(tx: Tx): Promise<void> {
  const cursor = await findNotificationCursor(tx)
  if (cursor === undefined) return moveNotificationCursor(tx, await findNewestActivityId(tx))
  const activities = await listActivitiesAfter(tx, { id: cursor, limit: sliceSize })
  const startMs = tx.clock.monotonicMs()
  const ways = new Map<string, Ways>()
  const isOfRemote = await isReplica(tx)
  let done = cursor
  for (let from = 0; from < activities.length; from += partSize) {
    const part = activities.slice(from, from + partSize)
    const audiences = await Promise.all(part.map((activity) => listAudience(tx, activity)))
    for (const [index, activity] of part.entries()) {
      const notifications = await notificationsOf(tx, activity, { audience: audiences[index] ?? [], ways, isOfRemote })
      insertNotifications(tx, notifications)
      done = activity.id
    }
    if (tx.clock.monotonicMs() - startMs > sliceMs) break
  }
  await moveNotificationCursor(tx, done)
}

/** A user's channels for an event; empty if they want none. */
interface Ways {
  readonly email: boolean
  readonly device_ids: readonly number[]
}

/** `ways` caches the channels for the slice's other activities: a batch concerns the same people. */
async function notificationsOf(
  tx: Tx,
  activity: Activity,
  { audience, ways, isOfRemote }: { audience: readonly number[]; ways: Map<string, Ways>; isOfRemote: boolean },
): Promise<NewNotification[]> {
  const event = notificationEventOf(activity)
  if (event === undefined) return []
  const found: NewNotification[] = []
  for (const user_id of audience) {
    const key = `${user_id} ${event}`
    const { email, device_ids } = ways.get(key) ?? (await findWays(tx, { user_id, event }, isOfRemote))
    ways.set(key, { email, device_ids })
    const notification = { user_id, activity_id: activity.id, event }
    if (email) found.push({ ...notification, channel: 'email', device_id: null })
    found.push(...device_ids.map((device_id): NewNotification => ({ ...notification, channel: 'mobile', device_id })))
  }
  return found
}

/** A replica notifies only its own user, on screen: the remote notifies everyone else, and sends mail. */
async function findWays(reader: Reader, key: { user_id: number; event: NotificationEvent }, isOfRemote: boolean): Promise<Ways> {
  const { user_id } = key
  if (!(await findUser(reader, user_id))) return { email: false, device_ids: [] }
  const wanted = await findSwitches(reader, key)
  const devices = wanted.mobile ? await listDevices(reader, user_id) : []
  return {
    email: !isOfRemote && wanted.email && (await findMailAddress(reader, user_id)) !== undefined,
    device_ids: devices
      .filter(({ gone_at, push_endpoint }) => gone_at === null && (!isOfRemote || push_endpoint === hereEndpoint))
      .map(({ id }) => id),
  }
}

/** The address for messages to a user: the main one, unless messages to it bounced. */
export async function findMailAddress(reader: Reader, user_id: number): Promise<Row<'user_emails'> | undefined> {
  const [main] = await listEmails(reader, [user_id])
  return main?.bounced_at === null ? main : undefined
}
