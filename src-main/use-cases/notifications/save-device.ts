import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { deviceRoutes } from '#shared/contract/devices'
import { invalid, notFound } from '#shared/domain/errors'
import { findDevice, findDeviceByEndpoint } from '#main/store/records/users/device-reader'
import { deleteDevice as removeDevice, insertDevice, renewDevice } from '#main/store/records/users/device-writer'
import type { Tx } from '#main/store/core/store'
import { isPrivateLiteral } from '../webhooks/outgoing-target'

/** A push subscription, as browsers report it. */
export type SaveDevice = z.output<typeof deviceRoutes.create.body>

/**
 * Registers a device of the acting user. An endpoint belongs to one browser: registering it again updates the device, and takes it over from that
 * browser's earlier user. Throws {@link DomainError}.
 */
export async function saveDevice(
  tx: Tx,
  { name, endpoint, keys: { p256dh, auth } }: SaveDevice,
  { allow_private }: { allow_private: boolean },
): Promise<Row<'devices'>> {
  if (!isPushTarget(endpoint, allow_private)) throw invalid('endpoint', 'invalid')
  const values = { name, push_endpoint: endpoint, push_p256dh: p256dh, push_auth: auth }
  const known = await findDeviceByEndpoint(tx, endpoint)
  if (known?.user_id === tx.actor.user_id) return renewDevice(tx, known, values)
  if (known) await removeDevice(tx, known)
  return insertDevice(tx, values)
}

/** Whether an endpoint is public HTTPS; the address behind its name is checked again at every push. */
function isPushTarget(endpoint: string, allow_private: boolean): boolean {
  const { protocol, username, password } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  return allow_private ? protocol === 'https:' || protocol === 'http:' : protocol === 'https:' && !isPrivateLiteral(endpoint)
}

/** Removes a device of the acting user; others' devices count as missing. Throws {@link DomainError}. */
export async function deleteDevice(tx: Tx, id: number): Promise<void> {
  const device = await findDevice(tx, id)
  if (device?.user_id !== tx.actor.user_id) throw notFound()
  await removeDevice(tx, device)
}
