import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Row } from '#db/schema'
import type { NotificationEvent } from '#shared/domain/notification-events'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import { listActivitiesAfter } from '#main/store/records/conversations/activity-reader'
import { listDevices } from '#main/store/records/users/devices'
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
import { type NewUserNotification, insertUserNotifications } from '#main/store/records/users/user-notifications'
import { listAudience, notificationEventOf } from './audience'
import { listConcerns } from './list-concerns'
import { hereEndpoint } from './devices'

/** The most activities per transaction. */
const sliceSize = 100
/** How many activities' audiences to read before other work gets a turn. */
const partSize = 10

/** What the next activities of the trail tell, and where the trail then continues. */
export interface Telling {
  /** The last activity that was told before; undefined in a folder that never notified anyone. */
  readonly after: number | undefined
  readonly until: number
  readonly notifications: readonly NewNotification[]
  /** Those in users' inboxes. A replica gets them from its remote. */
  readonly concerns: readonly NewUserNotification[]
}

/** Reads whom the next activities concern, before the transaction that stores it; undefined if there are none. */
export async function readTelling(reader: Reader): Promise<Telling | undefined> {
  const after = await findNotificationCursor(reader)
  // A folder that never notified anyone starts at its current end.
  if (after === undefined) return { after, until: await findNewestActivityId(reader), notifications: [], concerns: [] }
  const activities = await listActivitiesAfter(reader, { id: after, limit: sliceSize })
  const last = activities.at(-1)
  if (!last) return undefined
  const ways = new Map<string, Ways>()
  const isOfRemote = await isReplica(reader)
  const notifications: NewNotification[] = []
  const concerns: NewUserNotification[] = []
  for (let from = 0; from < activities.length; from += partSize) {
    const part = activities.slice(from, from + partSize)
    const audiences = await Promise.all(part.map((activity) => listAudience(reader, activity)))
    for (const [index, activity] of part.entries()) {
      const audience = audiences[index] ?? []
      notifications.push(...(await notificationsOf(reader, activity, { audience, ways, isOfRemote })))
      if (!isOfRemote) concerns.push(...(await listConcerns(reader, activity, audience)))
    }
    await nextTurn()
  }
  return { after, until: last.id, notifications, concerns }
}

/**
 * Stores notifications and moves the cursor past their activities, in one transaction, so that an interrupted process neither loses nor repeats any.
 * Stores nothing if another server has moved the cursor meanwhile.
 */
export async function storeTelling(tx: Tx, { after, until, notifications, concerns }: Telling): Promise<void> {
  if (!(await moveNotificationCursor(tx, { from: after, to: until }))) return
  insertNotifications(tx, notifications)
  await insertUserNotifications(tx, concerns)
}

/** A user's channels for an event; empty if they want none. */
interface Ways {
  readonly email: boolean
  readonly device_ids: readonly number[]
}

/** `ways` caches the channels for the slice's other activities: a batch concerns the same people. */
async function notificationsOf(
  reader: Reader,
  activity: Activity,
  { audience, ways, isOfRemote }: { audience: readonly number[]; ways: Map<string, Ways>; isOfRemote: boolean },
): Promise<NewNotification[]> {
  const event = notificationEventOf(activity)
  if (event === undefined) return []
  const found: NewNotification[] = []
  for (const user_id of audience) {
    const key = `${user_id} ${event}`
    const { email, device_ids } = ways.get(key) ?? (await findWays(reader, { user_id, event }, isOfRemote))
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
