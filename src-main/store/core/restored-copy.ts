import { beginEpoch } from './instance-settings'
import { dropLeases } from '../sync/id-leases'
import { findReplicaValue, writeReplicaValue } from '../sync/replica-state'
import type { Tx } from './store'

/** From now on a replica is another device: somebody else goes on as this one, and may use what was leased to it. */
export async function becomeAnotherDevice(tx: Tx): Promise<void> {
  const device = await findReplicaValue(tx, 'device')
  if (device === undefined) return
  await dropLeases(tx)
  await writeReplicaValue(tx, 'device', { uid: tx.clock.uid(), name: device.name, turn: null })
}

/** What an older copy of a database must do before it is used: its history, and as a replica its leases, went on without it. */
export async function beginAsCopy(tx: Tx): Promise<void> {
  await beginEpoch(tx)
  await becomeAnotherDevice(tx)
}
