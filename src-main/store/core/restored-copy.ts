import { beginEpoch } from './instance-settings'
import { dropWaitingJobs } from '../queues/jobs'
import { dropLeases } from '../sync/id-leases'
import { findReplicaValue, writeReplicaValue } from '../sync/replica-state'
import type { Tx } from './store'

/** From now on a replica is another device: someone else continues as this one, and may use its leased ids. */
export async function becomeAnotherDevice(tx: Tx): Promise<void> {
  const device = await findReplicaValue(tx, 'device')
  if (device === undefined) return
  await dropLeases(tx)
  await writeReplicaValue(tx, 'device', { uid: tx.clock.uid(), name: device.name, turn: null })
}

/** What an older copy of a database must do before use: its history, and a replica's leases, continued without it. */
export async function beginAsCopy(tx: Tx): Promise<void> {
  await beginEpoch(tx)
  await dropWaitingJobs(tx)
  await becomeAnotherDevice(tx)
}
