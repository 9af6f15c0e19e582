import { syncRoutes } from '#shared/contract/sync'
import { dropLeases } from '#main/store/sync/id-leases'
import { dropStaged } from '#main/store/sync/staged-rows'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { listOperations, listSettledSince, updateOperation } from '#main/store/sync/sync-journal'
import { noteUploads } from '#main/use-cases/sync/append-operation'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'

/**
 * The remote was restored from a backup: goes back to the last common position of the history, and sends operations again that were confirmed after
 * it. If the remote still has one, it recognizes the operation's id.
 */
export async function rewind(exchange: Exchange): Promise<Event> {
  const points = (await findReplicaValue(exchange.store.reader, 'points')) ?? []
  const common = await exchange.remote.call(syncRoutes.common, { body: { cursors: points } })
  await transact(exchange, async (tx) => {
    const lost = [...(await listSettledSince(tx, common.seq)), ...(await listOperations(tx, 'acknowledged'))]
    for (const row of lost) {
      await updateOperation(tx, row.id, { state: 'pending', effect_seq: null, attempts: 0 })
      await noteUploads(tx, row)
    }
    // Leases of another history are invalid in this one, and so are a person's decisions.
    await dropLeases(tx)
    await writeReplicaValue(tx, 'allowed', undefined)
    await writeReplicaValue(tx, 'pulled', undefined)
    await writeReplicaValue(tx, 'snapshot', undefined)
    await writeReplicaValue(tx, 'points', common.cursor === null ? [] : points.slice(points.indexOf(common.cursor)))
    await dropStaged(tx)
  })
  exchange.log.warn({ reoffered_after: common.seq }, 'the remote was restored from a backup')
  return 'done'
}
