import type { Flag } from '#db/record-tables'
import type { Row } from '#db/schema'
import { type NotificationChannel, type NotificationSwitch, notificationSwitches } from '#shared/contract/notifications'
import type { NotificationEvent } from '#shared/domain/notification-events'
import { recordActivity } from '../conversations/activity-writer'
import { touchRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

const listRows = statement<{ user_id: number }, Row<'notification_preferences'>>((db, p) =>
  db.selectFrom('notification_preferences').selectAll().where('user_id', '=', p('user_id')),
)
const findRow = statement<{ user_id: number; event: string }, Row<'notification_preferences'>>(
  (db, p) => db.selectFrom('notification_preferences').selectAll().where('user_id', '=', p('user_id')).where('event', '=', p('event')),
  { isKept: true },
)
const putRow = statement<Row<'notification_preferences'>, unknown>((db, p) =>
  db
    .insertInto('notification_preferences')
    .values({ user_id: p('user_id'), event: p('event'), email: p('email'), mobile: p('mobile') })
    .onConflict((known) => known.columns(['user_id', 'event']).doUpdateSet({ email: p('email'), mobile: p('mobile') })),
)
const forgetBounce = statement<{ user_id: number }, unknown>((db, p) =>
  db.updateTable('user_emails').where('user_id', '=', p('user_id')).where('bounced_at', 'is not', null).set({ bounced_at: null }),
)

/** The channels on which a user wants notifications of an event; by default all. */
export async function findSwitches(
  reader: Reader,
  key: { user_id: number; event: NotificationEvent },
): Promise<Readonly<Record<NotificationChannel, boolean>>> {
  const row = await reader.first(findRow, key)
  return { email: row?.email !== 0, mobile: row?.mobile !== 0 }
}

/** The names of the switches that a user turned off. */
export async function listSwitchedOff(reader: Reader, user_id: number): Promise<ReadonlySet<NotificationSwitch>> {
  const rows = new Map((await reader.all(listRows, { user_id })).map((row) => [row.event, row]))
  const off = notificationSwitches.filter(({ event, channel }) => rows.get(event)?.[channel] === 0)
  return new Set(off.map(({ name }) => name))
}

/**
 * Stores a user's switched-off notifications, and records the changes in the audit trail. They are part of the user's record and raise its version.
 */
export async function storeSwitchedOff(
  tx: Tx,
  user: Row<'users'>,
  { before, off }: { before: ReadonlySet<NotificationSwitch>; off: ReadonlySet<NotificationSwitch> },
): Promise<Row<'users'>> {
  const turned = notificationSwitches.filter(({ name }) => before.has(name) !== off.has(name))
  if (turned.length === 0) return user
  const flagOf = (name: NotificationSwitch): Flag => (off.has(name) ? 0 : 1)
  for (const event of new Set(turned.map((one) => one.event)))
    await tx.run(putRow, { user_id: user.id, event, email: flagOf(`email_on_${event}`), mobile: flagOf(`mobile_on_${event}`) })
  const details = (['notifications_on', 'notifications_off'] as const).map((attribute) => {
    const names = turned.filter(({ name }) => off.has(name) === (attribute === 'notifications_off')).map(({ name }) => name)
    return { attribute, from: null, to: names.join(', ') }
  })
  await recordActivity(tx, {
    organization_id: null,
    subject: { type: 'User', id: user.id },
    event: 'notification_preferences_updated',
    details: details.filter(({ to }) => to !== ''),
  })
  return touchRecord(tx, 'users', { row: user, scope: { organization_id: null, user_id: user.id } })
}

/** Allows messages to a user's bounced addresses again. */
export async function forgetBounces(tx: Tx, user_id: number): Promise<void> {
  await tx.run(forgetBounce, { user_id })
}
