import type { OperationResponse } from '#shared/contract/sync'
import { findUid } from '#main/store/sync/sync-operations'
import { listShownNumbers, listShownOperations, moveOperations, updateOperation } from '#main/store/sync/sync-journal'
import type { Tx } from '#main/store/core/store'
import { type RecordIds, createAgain } from '#main/use-cases/sync/create-again'
import { type Drops, parkDependents } from './park'

/** Why an operation is kept aside: its record was deleted here because a person allowed it. */
const deleted: OperationResponse = { status: 404, message: 'deleted_here', differences: [], by: null, at: null }

/**
 * A person keeps records that a whole snapshot did not bring: they are created again, before what waits to be done with them. No operation
 * may be shown while this runs: they get other numbers.
 */
export async function keepRecords(tx: Tx, going: RecordIds): Promise<void> {
  const waiting = await listShownNumbers(tx)
  await createAgain(tx, going, 'same')
  await moveOperations(tx, waiting)
}

/**
 * A person lets records go that a whole snapshot did not bring. What the remote had confirmed of them is not sent again; what it never
 * got is put in quarantine.
 */
export async function letRecordsGo(tx: Tx, going: RecordIds): Promise<void> {
  const uids = new Set<string>()
  for (const [table, ids] of going)
    for (const id of ids) {
      const uid = await findUid(tx, table, id)
      if (uid !== undefined) uids.add(uid)
    }
  const dropped: Drops = new Map()
  for (const { id, refs, minted, settled_at } of await listShownOperations(tx)) {
    if (![...refs, ...minted].some(({ uid }) => uids.has(uid))) continue
    if (settled_at === null) dropped.set(id, { state: 'quarantined', answer: deleted })
    else await updateOperation(tx, id, { state: 'discarded', settled_at: tx.now })
  }
  await parkDependents(tx, dropped)
  for (const [id, { state, answer: last_answer }] of dropped) await updateOperation(tx, id, { state, last_answer })
}
