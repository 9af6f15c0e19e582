import { applyRows, removeRecords } from '#main/store/sync/apply-rows'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { fillEmptyTable, isEmpty } from '#main/store/core/fill-empty-table'
import { dropStaged, listUnmarked, readStaged, stagedTables, sweepTrail } from '#main/store/sync/staged-rows'
import { listAcknowledged, updateOperation } from '#main/store/sync/sync-journal'
import type { Tx } from '#main/store/core/store'
import { runWithStore } from '#main/store/core/thread-store'
import { type Exchange, type Tally, transact } from '../exchange'
import { keepRecords, letRecordsGo } from '../decided-deletions'
import { type Excess, exceedsGuard, noteDeletions, stopAtGuard } from '../guard'
import type { Event } from '../machine'
import { noteMissingFiles } from '../local-files'
import { rebase } from '../overlay'
import { notePoint } from './pull'

/** From so many rows on a snapshot is long. */
const longRows = 1000

/** Ends the transaction without a trace: the guard has stopped it. */
class GuardStopped extends Error {
  constructor(readonly excess: Excess) {
    super('stopped by the guard')
  }
}

/** What {@link makeBase} works with. */
type Settling = Pick<Exchange, 'store' | 'blobs' | 'replay' | 'tally' | 'takeTurn'>

/** Makes a whole snapshot the base: a long one apart from the responding thread, unless that has a part in it. */
export async function settleSnapshot(exchange: Exchange): Promise<Event> {
  const under = await findReplicaValue(exchange.store.reader, 'snapshot')
  if (under && isLong(under) && (await settleInThread(exchange))) return 'done'
  try {
    await transact(exchange, (tx) => makeBase(exchange, tx))
  } catch (error) {
    if (error instanceof GuardStopped) return stopAtGuard(exchange, error.excess)
    throw error
  }
  return 'done'
}

/** False: a thread could not do it, and nothing has changed. */
async function settleInThread({ store, blobs, log, tally, data_folder }: Exchange): Promise<boolean> {
  try {
    const task = { data_folder, database_url: store.database_url, place: blobs.place }
    const { pulled, removed } = await runWithStore<Pick<Tally, 'pulled' | 'removed'>>(store, { name: 'settle', task }, {})
    tally.pulled += pulled
    tally.removed += removed
    return true
  } catch (error) {
    log.info({ err: error }, 'a snapshot is made the base by the thread that answers')
    return false
  }
}

/** Whether a snapshot has so many rows that what each costs is worth sparing. */
function isLong({ total }: { readonly total: number }): boolean {
  return total >= longRows
}

/**
 * Makes a whole snapshot the base, in one transaction: its rows are written, records that it did not bring are removed (mark and
 * sweep), pending operations are carried out again over it.
 */
export async function makeBase(exchange: Settling, tx: Tx): Promise<void> {
  const under = await findReplicaValue(tx, 'snapshot')
  if (!under || under.next !== null) return
  const { cursor, scopes, isNarrowed, rows } = under
  const input = {
    parts: [],
    removed: [],
    settled: [],
    dropped: new Map(),
    isWhole: true,
    failed: isNarrowed ? 'quarantined' : 'conflict',
  } as const
  await rebase(tx, input, {
    ...exchange,
    applyMore: async (_tx, note) => {
      note(await sweep(exchange, tx, isNarrowed))
      for (const table of stagedTables) {
        const write = () => applyStaged(exchange, tx, table)
        note(await (isLong(under) && (await isEmpty(tx, table)) ? fillEmptyTable(tx, table, write) : write()))
      }
    },
  })
  exchange.tally.pulled += rows
  await writeReplicaValue(tx, 'pulled', { cursor, scopes, seq: under.seq ?? 0 })
  // Whether their effects came with it, only the remote can say.
  for (const { id } of await listAcknowledged(tx)) await updateOperation(tx, id, { state: 'sent', effect_seq: null })
  await writeReplicaValue(tx, 'snapshot', undefined)
  await writeReplicaValue(tx, 'allowed', undefined)
  await notePoint(tx, cursor)
  await dropStaged(tx)
}

async function applyStaged(exchange: Settling, tx: Tx, table: string): Promise<ReadonlySet<number>> {
  const expense_ids = new Set<number>()
  for await (const part of readStaged(tx, table)) {
    for (const id of await applyRows(tx, [part], exchange)) expense_ids.add(id)
    await noteMissingFiles(exchange, tx, [part])
    await exchange.takeTurn()
  }
  return expense_ids
}

/** What the snapshot did not bring is gone; more than is believed is a person's to decide, unless they may no longer see it. */
async function sweep(exchange: Settling, tx: Tx, isNarrowed: boolean): Promise<ReadonlySet<number>> {
  const unmarked = (await listUnmarked(tx)).filter(({ ids }) => ids.length > 0)
  if (!isNarrowed) {
    const deletions = unmarked.map(({ table, ids }) => ({ table, count: ids.length }))
    const excess = await exceedsGuard(exchange.store.reader, deletions, tx.clock.now())
    if (excess) throw new GuardStopped(excess)
    const decision = await findReplicaValue(tx, 'allowed')
    const going = new Map(unmarked.map(({ table, ids }) => [table, new Set(ids)]))
    if (decision === 'keep') await keepRecords(tx, going)
    else if (decision) await letRecordsGo(tx, going)
    await noteDeletions(tx, deletions)
  }
  exchange.tally.removed += unmarked.length
  const expense_ids = new Set<number>()
  // Children first: what hangs on a record goes before it.
  for (const { table, ids } of unmarked.reverse()) {
    for (const id of await removeRecords(
      tx,
      ids.map((id) => ({ table, id })),
    ))
      expense_ids.add(id)
    await exchange.takeTurn()
  }
  await sweepTrail(tx)
  return expense_ids
}
