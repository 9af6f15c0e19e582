import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { insertRecords, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import type { Audience } from '../../sync/audience'
import { visibleActivities } from '../../sync/visible-trail'

type Notification = Row<'user_notifications'>

/** A new notification of a user: the entry of the trail that concerns them, and why. */
export type NewUserNotification = Pick<Notification, 'user_id' | 'activity_id' | 'kind'>

/** The most rows of one statement, which has a limit of values. */
const mostTogether = 500

const listUnseen = statement<{ user_id: number; until_id: number }, Notification>((db, p) =>
  db
    .selectFrom('user_notifications')
    .selectAll()
    .where('user_id', '=', p('user_id'))
    .where('is_seen', '=', sql.lit(0))
    .where('id', '<=', p('until_id'))
    .where('deleted_at', 'is', null)
    .orderBy('id'),
)

const scopeOf = ({ user_id }: Pick<Notification, 'user_id'>) => ({ organization_id: null, user_id })

/** Stores notifications, unseen. */
export async function insertUserNotifications(tx: Tx, notifications: readonly NewUserNotification[]): Promise<void> {
  for (let from = 0; from < notifications.length; from += mostTogether) {
    const part = notifications.slice(from, from + mostTogether)
    await insertRecords(
      tx,
      'user_notifications',
      part.map((one) => ({ values: { ...one, is_seen: 0 }, scope: scopeOf(one) })),
    )
  }
}

/** Kinds that are shown even if the user does not see the entry in the trail, without its sentence. */
const saidWithoutTrail = sql.join(
  (['deleted', 'question', 'role', 'stand_in'] as const satisfies ReadonlyArray<Notification['kind']>).map((kind) => sql.lit(kind)),
)

/** A notification; `told_id`: its entry in the trail, if the user may see that. */
export type SeenNotification = Notification & { readonly told_id: number | null }

/** A user's newest notifications that they may see, and the number of all unseen ones. */
export async function listUserNotifications(
  reader: Reader,
  { audience, limit }: { audience: Audience; limit: number },
): Promise<{ rows: SeenNotification[]; unseen_count: number }> {
  const isVisible = visibleActivities(audience)
  const shown = reader.db
    .selectFrom('user_notifications')
    .leftJoin('activities', 'activities.id', 'user_notifications.activity_id')
    .where('user_notifications.user_id', '=', audience.user_id)
    .where('user_notifications.deleted_at', 'is', null)
    .where(sql<SqlBool>`(user_notifications.kind in (${saidWithoutTrail}) or ${isVisible})`)
  const rows = await shown
    .selectAll('user_notifications')
    .select(sql<number | null>`case when ${isVisible} then activities.id end`.as('told_id'))
    .orderBy('user_notifications.id', 'desc')
    .limit(limit)
    .execute()
  const counted = await shown
    .select(sql<number>`count(*)`.as('count'))
    .where('user_notifications.is_seen', '=', sql.lit(0))
    .executeTakeFirst()
  return { rows, unseen_count: Number(counted?.count ?? 0) }
}

/** Marks the acting user's notifications as seen, up to and including an id. */
export async function markNotificationsSeen(tx: Tx, until_id: number): Promise<void> {
  for (const row of await tx.all(listUnseen, { user_id: tx.actor.user_id, until_id }))
    await updateRecord(tx, 'user_notifications', { row, changes: { is_seen: 1 }, scope: scopeOf(row) })
}
