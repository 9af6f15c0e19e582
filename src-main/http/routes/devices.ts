import type { Row } from '#db/schema'
import { type Device, deviceRoutes } from '#shared/contract/devices'
import { listDevices } from '#main/store/records/users/devices'
import { etagOf } from '#main/use-cases/access/preconditions'
import { deleteDevice, saveDevice } from '#main/use-cases/notifications/devices'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { pageOfAll } from '../paging'

function toDevice({ id, uid, version, name, push_endpoint, gone_at, created_at, updated_at }: Row<'devices'>): Device {
  return { id, uid, version, name, endpoint: push_endpoint, gone_at, created_at, updated_at }
}

/** The caller's devices for push notifications (extension). */
export const deviceEndpoints: Endpoint[] = [
  query(deviceRoutes.list, async ({ reader, caller }, { list }) => {
    const { rows, frame, next } = pageOfAll(list, await listDevices(reader, caller.user_id))
    return { body: { ...frame, devices: rows.map(toDevice) }, next }
  }),
  query(deviceRoutes.key, ({ deps }: Context<'push_public_key'>) => Promise.resolve({ body: { public_key: deps.push_public_key } })),
  mutation(deviceRoutes.create, async ({ tx, deps }, { body }) => {
    const device = await saveDevice(tx, body, { allow_private: deps.settings.allow_private_targets })
    return { body: toDevice(device), etag: etagOf(device) }
  }),
  mutation(deviceRoutes.destroy, async ({ tx }, { params }) => {
    await deleteDevice(tx, params.id)
    return { body: null }
  }),
]
