import type { OperationResponse } from '#shared/contract/sync'
import { findUid } from '#main/store/sync/sync-operations'
import { listShownNumbers, listShownOperations, moveOperations, updateOperation } from '#main/store/sync/sync-journal'
import type { Tx } from '#main/store/core/store'
import { type RecordIds, createAgain } from '#main/use-cases/sync/create-again'
import { type Drops, parkDependents } from './park'

/** Why an operation is quarantined: its record was deleted here because a person allowed it. */
const deleted: OperationResponse = { status: 404, message: 'deleted_here', differences: [], by: null, at: null }

/**
 * Keeps records that a complete snapshot lacks: they are created again, before the operations that wait on them. No operation may be shown meanwhile,
 * as they are renumbered.
 */
export async function keepRecords(tx: Tx, going: RecordIds): Promise<void> {
  const waiting = await listShownNumbers(tx)
  await createAgain(tx, going, 'same')
  await moveOperations(tx, waiting)
}

/** Removes records that a complete snapshot lacks. Their confirmed operations are not sent again; unsent ones are quarantined. */
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
