import { syncRoutes } from '#shared/contract/sync'
import { stageRows } from '#main/store/apply-rows'
import { dropStaged } from '#main/store/apply-rows'
import { findReplicaValue, writeReplicaValue } from '#main/store/replica-state'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'

/** How many rows a page of a snapshot has. */
const pageRows = 200

/** Brings one page of all that the user may see and puts it aside: nobody works on half of it. Goes on where it was cut off. */
export async function snapshot(exchange: Exchange): Promise<Event> {
  const { store, remote } = exchange
  const under = await findReplicaValue(store.reader, 'snapshot')
  if (under && under.next === null) return 'done'
  const before = remote.received
  const page = await remote.call(syncRoutes.snapshot, {
    query: { limit: pageRows, ...(under?.next ? { next: under.next } : {}) },
  })
  const scopes = page.scopes.join(',')
  const pulled = await findReplicaValue(store.reader, 'pulled')
  const rows = page.tables.reduce((sum, part) => sum + part.rows.length, 0)
  const isRestart = under !== undefined && under.scopes !== scopes
  await transact(exchange, async (tx) => {
    if (!under || isRestart) dropStaged(tx)
    // What the user may see has changed since the first page: it begins anew.
    if (isRestart) return writeReplicaValue(tx, 'snapshot', undefined)
    stageRows(tx, page.tables)
    await writeReplicaValue(tx, 'snapshot', {
      cursor: under?.cursor ?? page.cursor,
      seq: under ? under.seq : page.seq,
      scopes,
      next: page.next,
      rows: (under?.rows ?? 0) + rows,
      total: under?.total ?? page.total,
      bytes: (under?.bytes ?? 0) + remote.received - before,
      isNarrowed: pulled?.scopes.split(',').some((scope) => !page.scopes.includes(scope)) ?? false,
    })
  })
  return 'more'
}
