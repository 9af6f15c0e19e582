import { sql } from 'kysely'
import type { Row } from '#db/schema'
import type { NotificationChannel } from '#shared/contract/notifications'
import type { NotificationEvent } from '#shared/domain/notification-events'
import { rowsOfPlaces } from '../core/queryable'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

type Notification = Row<'notifications'>

const cursorKey = 'notifications_cursor'

const findCursor = statement<Record<string, never>, { value: string }>((db) =>
  db.selectFrom('instance_settings').select('value').where('key', '=', cursorKey),
)
const firstCursor = statement<{ to: string; updated_at: string }, unknown>((db, p) =>
  db
    .insertInto('instance_settings')
    .values({ key: cursorKey, value: p('to'), updated_at: p('updated_at') })
    .onConflict((known) => known.column('key').doNothing()),
)
const moveCursor = statement<{ from: string; to: string; updated_at: string }, unknown>((db, p) =>
  db
    .updateTable('instance_settings')
    .where('key', '=', cursorKey)
    .where('value', '=', p('from'))
    .set({ value: p('to'), updated_at: p('updated_at') }),
)
const findNewest = statement<Record<string, never>, { id: number | null }>((db) =>
  db.selectFrom('activities').select(sql<number | null>`max(id)`.as('id')),
)
const newColumns = ['uid', 'user_id', 'activity_id', 'event', 'channel', 'device_id', 'state', 'created_at']
/** The most rows of one statement, which has a limit of values. */
const mostTogether = 500
/** Exported so that a test can check its index. */
export const listHeapRows = statement<{ channel: NotificationChannel }, NotificationHeap>((db, p) =>
  db
    .selectFrom('notifications')
    .select([
      'user_id',
      'device_id',
      sql<string | null>`min(case when next_attempt_at is null then created_at end)`.as('first_at'),
      sql<string | null>`max(case when next_attempt_at is null then created_at end)`.as('last_at'),
      sql<string | null>`min(next_attempt_at)`.as('retry_at'),
    ])
    .where('state', '=', 'waiting')
    .where('channel', '=', p('channel'))
    .groupBy(['user_id', 'device_id']),
)
const listWaitingRows = statement<{ user_id: number; device_id: number | null; channel: NotificationChannel; limit: number }, Notification>(
  (db, p) =>
    db
      .selectFrom('notifications')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('user_id', '=', p('user_id'))
      .where('channel', '=', p('channel'))
      .where(sql<boolean>`device_id is not distinct from ${p('device_id')}`)
      .orderBy('id')
      .limit(p('limit')),
)
const settleRow = statement<Pick<Notification, 'id' | 'state' | 'attempts' | 'next_attempt_at' | 'last_error' | 'sent_at'>, unknown>(
  (db, p) =>
    db
      .updateTable('notifications')
      .where('id', '=', p('id'))
      .set({
        state: p('state'),
        attempts: p('attempts'),
        next_attempt_at: p('next_attempt_at'),
        last_error: p('last_error'),
        sent_at: p('sent_at'),
      }),
)
const forgetRows = statement<{ before: string }, unknown>((db, p) => db.deleteFrom('notifications').where('sent_at', '<', p('before')))
const bounceRow = statement<{ id: number; bounced_at: string }, unknown>((db, p) =>
  db
    .updateTable('user_emails')
    .where('id', '=', p('id'))
    .set({ bounced_at: p('bounced_at') }),
)

/** The waiting notifications of one person, or for push of one device. The instants of the first and last untried one, and of the next retry; UTC. */
export interface NotificationHeap {
  readonly user_id: number
  readonly device_id: number | null
  readonly first_at: string | null
  readonly last_at: string | null
  readonly retry_at: string | null
}

/** The id of the last activity whose notifications are written; undefined in a folder that never wrote any. */
export async function findNotificationCursor(reader: Reader): Promise<number | undefined> {
  const found = await reader.first(findCursor, {})
  return found && Number(found.value)
}

/** Moves the cursor: activities up to this id are done. Returns whether it was still where the caller found it. */
export async function moveNotificationCursor(tx: Tx, { from, to }: { from: number | undefined; to: number }): Promise<boolean> {
  const moved = { to: String(to), updated_at: tx.now }
  return (await (from === undefined ? tx.run(firstCursor, moved) : tx.run(moveCursor, { ...moved, from: String(from) }))) === 1
}

/** The id of the newest activity, 0 where there is none. */
export async function findNewestActivityId(reader: Reader): Promise<number> {
  return (await reader.first(findNewest, {}))?.id ?? 0
}

/** A notification for a person on a channel; `device_id` if it is a push notification. */
export interface NewNotification {
  readonly user_id: number
  readonly activity_id: number
  readonly event: NotificationEvent
  readonly channel: NotificationChannel
  readonly device_id: number | null
}

/** Queues notifications. */
export function insertNotifications(tx: Tx, notifications: readonly NewNotification[]): void {
  for (let from = 0; from < notifications.length; from += mostTogether) {
    const part = notifications.slice(from, from + mostTogether)
    const values = part.flatMap(({ user_id, activity_id, event, channel, device_id }) => [
      ...[tx.clock.uid(), user_id, activity_id, event, channel, device_id],
      ...['waiting', tx.now],
    ])
    tx.post(`INSERT INTO notifications (${newColumns.join(', ')}) VALUES ${rowsOfPlaces(newColumns.length, part.length)}`, values)
  }
}

/** The waiting notifications, grouped by person. */
export function listNotificationHeaps(reader: Reader, channel: NotificationChannel): Promise<NotificationHeap[]> {
  return reader.all(listHeapRows, { channel })
}

/** The oldest waiting notifications of a heap. */
export function listWaitingNotifications(
  reader: Reader,
  { user_id, device_id }: NotificationHeap,
  { channel, limit }: { channel: NotificationChannel; limit: number },
): Promise<Notification[]> {
  return reader.all(listWaitingRows, { user_id, device_id, channel, limit })
}

/** Stores the result of a notification. */
export async function settleNotification(
  tx: Tx,
  row: Notification,
  change: Partial<Pick<Notification, 'state' | 'attempts' | 'next_attempt_at' | 'last_error' | 'sent_at'>>,
): Promise<void> {
  const { id, state, attempts, next_attempt_at, last_error, sent_at } = { ...row, ...change }
  await tx.run(settleRow, { id, state, attempts, next_attempt_at, last_error, sent_at })
}

/** Deletes notifications that were sent before a UTC instant. */
export async function forgetNotificationsSentBefore(tx: Tx, before: string): Promise<void> {
  await tx.run(forgetRows, { before })
}

/** Marks an address whose messages bounce. */
export async function markEmailBounced(tx: Tx, { id }: Row<'user_emails'>): Promise<void> {
  await tx.run(bounceRow, { id, bounced_at: tx.now })
}
