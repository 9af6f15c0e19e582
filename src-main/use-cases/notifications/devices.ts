import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { deviceRoutes } from '#shared/contract/devices'
import { invalid, notFound } from '#shared/domain/errors'
import type { Store, Tx } from '#main/store/core/store'
import {
  deleteDevice as removeDevice,
  deleteDevice as storeDeletion,
  findDevice,
  findDeviceByEndpoint,
  insertDevice,
  renewDevice,
} from '#main/store/records/users/devices'
import { findLocalUser } from '#main/store/records/users/user-reader'
import { isPrivateLiteral } from '../webhooks/outgoing-target'

/**
 * Registers a device of the acting user. An endpoint belongs to one browser: registering it again updates the device, and takes it over from that
 * browser's earlier user. Throws {@link DomainError}.
 */
export async function saveDevice(
  tx: Tx,
  { name, endpoint, keys: { p256dh, auth } }: z.output<typeof deviceRoutes.create.body>,
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

/** The endpoint of this computer, on which the program itself shows notifications. */
export const hereEndpoint = 'outlay:here'

/**
 * Turns notifications on this computer on or off, as on any of the person's devices (contract 6.3, "mobile"). `name`: the computer's name among their
 * devices; null: off. Does nothing if unchanged, or if the instance has no user yet.
 */
export async function notifyHere(store: Store, name: string | null): Promise<void> {
  const user = await findLocalUser(store.reader)
  const known = await findDeviceByEndpoint(store.reader, hereEndpoint)
  const isShared = known?.user_id === user?.id && known?.name === name
  if (!user || (name === null ? !known : isShared)) return
  await store.transact({ user_id: user.id, origin: 'app', request_id: null, if_match: null }, async (tx) => {
    const isAnothers = known !== undefined && known.user_id !== user.id
    if (known && (name === null || isAnothers)) await storeDeletion(tx, known)
    if (name === null) return
    const values = { name, push_endpoint: hereEndpoint, push_p256dh: '', push_auth: '' }
    if (known && !isAnothers) await renewDevice(tx, known, values)
    else await insertDevice(tx, values)
  })
}
