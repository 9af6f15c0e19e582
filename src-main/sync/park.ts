import { listShownOperations } from '#main/store/sync/sync-journal'
import type { Tx } from '#main/store/core/store'
import type { Exchange } from './exchange'
import { type Rebase, rebase } from './overlay'

/** After this many failures an operation waits for a person. */
export const maxAttempts = 8

/** Operations that end without effect, with their new states. */
export type Drops = Map<number, Rebase['dropped'] extends ReadonlyMap<number, infer Drop> ? Drop : never>

/** A file cannot be sent: operations that name it wait for a person, and delay nothing else. */
export async function parkNaming(exchange: Exchange, tx: Tx, { sha256, message }: { sha256: string; message: string }): Promise<void> {
  const response = { status: 424, message, differences: [], by: null, at: null }
  const dropped: Drops = new Map()
  for (const { id, state, blobs } of await listShownOperations(tx))
    if (state !== 'acknowledged' && blobs.some((file) => file.sha256 === sha256)) dropped.set(id, { state: 'parked', answer: response })
  await parkDependents(tx, dropped)
  if (dropped.size > 0) await rebase(tx, { parts: [], removed: [], settled: [], dropped, isWhole: false, failed: 'conflict' }, exchange)
}

/** Makes operations that depend on a failed one wait with it. */
export async function parkDependents(tx: Tx, dropped: Drops): Promise<void> {
  if (dropped.size === 0) return
  const shown = await listShownOperations(tx)
  const gone = new Set(shown.filter(({ id }) => dropped.has(id)).map(({ op_id }) => op_id))
  for (const row of shown) {
    if (dropped.has(row.id) || row.state === 'acknowledged') continue
    if (!row.depends_on.some((op_id) => gone.has(op_id))) continue
    gone.add(row.op_id)
    dropped.set(row.id, { state: 'parked', answer: { status: 424, message: 'depends', differences: [], by: null, at: null } })
  }
}
