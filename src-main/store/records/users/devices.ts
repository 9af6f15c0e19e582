import type { Row } from '#db/schema'
import { deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { recordActivity } from '../conversations/activity-writer'

const findById = statement<{ id: number }, Row<'devices'>>((db, p) =>
  db.selectFrom('devices').selectAll().where('id', '=', p('id')).where('kind', '=', 'push').where('deleted_at', 'is', null),
)
const findByEndpoint = statement<{ push_endpoint: string }, Row<'devices'>>((db, p) =>
  db.selectFrom('devices').selectAll().where('push_endpoint', '=', p('push_endpoint')),
)
const listRows = statement<{ user_id: number }, Row<'devices'>>(
  (db, p) =>
    db
      .selectFrom('devices')
      .selectAll()
      .where('user_id', '=', p('user_id'))
      .where('kind', '=', 'push')
      .where('deleted_at', 'is', null)
      .orderBy('id', 'desc'),
  { isKept: true },
)

/** A device for push notifications. */
export function findDevice(reader: Reader, id: number) {
  return reader.first(findById, { id })
}
/** The device with this push endpoint, of any user; there is one at most. */
export function findDeviceByEndpoint(reader: Reader, push_endpoint: string) {
  return reader.first(findByEndpoint, { push_endpoint })
}
/** A user's devices for push notifications, newest first, including those whose subscription has ended. */
export function listDevices(reader: Reader, user_id: number): Promise<Row<'devices'>[]> {
  return reader.all(listRows, { user_id })
}

/** The push subscription of a device, as its browser gives it. */
interface PushSubscriptionValues {
  readonly name: string
  readonly push_endpoint: string
  readonly push_p256dh: string
  readonly push_auth: string
}

function scopeOf({ user_id }: { user_id: number }) {
  return { organization_id: null, user_id }
}

/** Stores a device of the acting user. */
export async function insertDevice(tx: Tx, values: PushSubscriptionValues): Promise<Row<'devices'>> {
  const { user_id } = tx.actor
  const rest = { user_id, kind: 'push', last_seen_at: tx.now, gone_at: null }
  const device = await insertRecord(tx, 'devices', { values: { ...values, ...rest }, scope: scopeOf(rest) })
  const details = [{ attribute: 'name', from: null, to: device.name }] as const
  await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: user_id }, event: 'device_created', details })
  return device
}

/** Updates a device's name and keys when it registers again. */
export async function renewDevice(tx: Tx, row: Row<'devices'>, values: PushSubscriptionValues): Promise<Row<'devices'>> {
  return updateRecord(tx, 'devices', { row, changes: { ...values, last_seen_at: tx.now, gone_at: null }, scope: scopeOf(row) })
}

/** Marks a device whose push service reports that the subscription ended. */
export async function markDeviceGone(tx: Tx, row: Row<'devices'>): Promise<void> {
  await updateRecord(tx, 'devices', { row, changes: { gone_at: tx.now }, scope: scopeOf(row) })
}

/** Deletes a device; its endpoint may be registered again, by any user. */
export async function deleteDevice(tx: Tx, row: Row<'devices'>): Promise<void> {
  const silent = { push_endpoint: null, push_p256dh: null, push_auth: null }
  const stored = await updateRecord(tx, 'devices', { row, changes: silent, scope: scopeOf(row) })
  await deleteRecord(tx, 'devices', { row: stored, scope: scopeOf(row) })
  const details = [{ attribute: 'name', from: row.name, to: null }] as const
  await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: row.user_id }, event: 'device_destroyed', details })
}
