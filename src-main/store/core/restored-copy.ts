import { beginEpoch } from './instance-settings'
import { dropWaitingJobs } from '../queues/jobs'
import { dropLeases } from '../sync/id-leases'
import { findReplicaValue, writeReplicaValue } from '../sync/replica-state'
import type { Tx } from './store'

/** Turns a replica into another device: the original may continue and use its leased ids. */
export async function becomeAnotherDevice(tx: Tx): Promise<void> {
  const device = await findReplicaValue(tx, 'device')
  if (device === undefined) return
  await dropLeases(tx)
  await writeReplicaValue(tx, 'device', { uid: tx.clock.uid(), name: device.name, turn: null })
}

/** Prepares an older copy of a database for use: the original's history, and a replica's leases, continued after the copy was made. */
export async function beginAsCopy(tx: Tx): Promise<void> {
  await beginEpoch(tx)
  await dropWaitingJobs(tx)
  await becomeAnotherDevice(tx)
}
