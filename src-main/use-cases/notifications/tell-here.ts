import { findDeviceByEndpoint } from '#main/store/records/users/device-reader'
import { deleteDevice, insertDevice, renewDevice } from '#main/store/records/users/device-writer'
import type { Store } from '#main/store/core/store'
import { findLocalUser } from '#main/store/records/users/user-reader'

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
    if (known && (name === null || isAnothers)) await deleteDevice(tx, known)
    if (name === null) return
    const values = { name, push_endpoint: hereEndpoint, push_p256dh: '', push_auth: '' }
    if (known && !isAnothers) await renewDevice(tx, known, values)
    else await insertDevice(tx, values)
  })
}
