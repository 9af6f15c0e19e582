import { migrations } from '#db/index'
import { protocol, syncRoutes } from '#shared/contract/sync'
import { type ReplicaValue, findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { becomeAnotherDevice } from '#main/store/core/restored-copy'
import { type Exchange, getRemoteOf, stopFor, transact } from '../exchange'
import type { Event } from '../machine'

/** The schema version of this program. */
const schema = Object.keys(migrations).length

/** Identifies this device and its user, checks the remote's history, and whether the user's scopes are unchanged. */
export async function handshake(exchange: Exchange): Promise<Event> {
  const { store, remote } = exchange
  const known = await getRemoteOf(exchange)
  const device = await nextTurn(exchange)
  const pulled = await findReplicaValue(store.reader, 'pulled')
  const before = await findReplicaValue(store.reader, 'schema')
  const response = await remote.call(syncRoutes.handshake, {
    body: { protocol: { min: protocol.min, max: protocol.max }, schema, device, cursor: pulled?.cursor ?? null },
  })
  if (response.kind === 'too_old')
    return stopFor(exchange, { kind: 'too_old', message: `The remote speaks version ${response.version}; install a newer Outlay.` })
  if (response.instance_uid !== known.instance_uid || response.user.uid !== known.user_uid)
    return stopFor(exchange, { kind: 'wrong_account', message: 'Another instance, or another user, answers at the address of the remote.' })
  if (response.kind === 'cloned') {
    await transact(exchange, becomeAnotherDevice)
    return 'more'
  }
  await transact(exchange, async (tx) => {
    await writeReplicaValue(tx, 'device', { uid: device.uid, name: device.name, turn: response.turn })
    await writeReplicaValue(tx, 'schema', schema)
  })
  if (response.history !== 'same') return 'diverged'
  // This version can store data of a newer remote that the earlier version skipped.
  if (before !== undefined && before < schema) return 'scopes'
  return pulled === undefined || pulled.scopes !== response.scopes.join(',') ? 'scopes' : 'done'
}

/** This device with its next turn, stored before it is sent: a repeat must have the same turn, and a copy of the folder must not. */
async function nextTurn(exchange: Exchange): Promise<ReplicaValue<'device'>> {
  const { clock, store } = exchange
  const known = await findReplicaValue(store.reader, 'device')
  if (known?.next_turn !== undefined) return known
  const device = { ...(known ?? { uid: clock.uid(), name: 'Outlay', turn: null }), next_turn: clock.secret(12) }
  await transact(exchange, (tx) => writeReplicaValue(tx, 'device', device))
  return device
}
