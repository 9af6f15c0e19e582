import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

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
