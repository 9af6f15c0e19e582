import type { Row } from '#db/schema'
import { recordActivity } from '../conversations/activity-writer'
import { deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

/** The push subscription of a device, as its browser gives it. */
export interface PushSubscriptionValues {
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
