import { type ChangePage, syncRoutes } from '#shared/contract/sync'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { type JournalEntry, listAcknowledged, listJournalled, listUnsentDecisions, updateOperation } from '#main/store/sync/sync-journal'
import type { Tx } from '#main/store/core/store'
import { createAgain } from '#main/use-cases/sync/create-again'
import { type Exchange, transact } from '../exchange'
import { type DeletedRecords, exceedsGuard, listDeletions, noteDeletions, stopAtGuard } from '../guard'
import type { Event } from '../machine'
import { noteMissingFiles } from '../local-files'
import { rebase } from '../overlay'
import { type Drops, parkDependents } from '../park'

/** About how many records a page of changes has: each page waits for the disk once. */
const pageRecords = 500

/** How many positions of the remote's history are kept. */
const keptPoints = 20

/** Applies one page of changes: its rows, the cursor and settled operations are one transaction. */
export async function pull(exchange: Exchange): Promise<Event> {
  const pulled = await findReplicaValue(exchange.store.reader, 'pulled')
  if (!pulled) return 'scopes'
  const { cursor, scopes } = pulled
  const page = await exchange.remote.call(syncRoutes.changes, { query: { cursor, scopes, limit: pageRecords } })
  if (page.kind === 'scopes') return 'scopes'
  if (page.kind === 'diverged' || page.kind === 'expired') return 'diverged'
  const deletions = await listDeletions(exchange.store.reader, page)
  const excess = await exceedsGuard(exchange.store.reader, deletions, exchange.clock.now())
  if (excess) return stopAtGuard(exchange, excess)
  try {
    await transact(exchange, (tx) => applyPage(exchange, tx, { page, pulled, deletions, isWhole: false }))
  } catch (error) {
    if (!isConstraint(error)) throw error
    // A pending operation conflicts with the incoming rows: undo all of them first.
    exchange.log.info({ err: error }, 'changes are applied below every pending operation')
    await transact(exchange, (tx) => applyPage(exchange, tx, { page, pulled, deletions, isWhole: true }))
  }
  exchange.tally.removed += page.removed.length
  exchange.tally.pulled += page.tables.reduce((sum, { rows }) => sum + rows.length, 0)
  return page.has_more ? 'more' : 'done'
}

function isConstraint(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')
}

async function applyPage(
  exchange: Exchange,
  tx: Tx,
  input: {
    page: ChangePage
    pulled: { cursor: string; scopes: string; seq: number }
    deletions: readonly DeletedRecords[]
    isWhole: boolean
  },
): Promise<void> {
  const { page, pulled, deletions, isWhole } = input
  // Another process on this folder may have pulled first.
  if ((await findReplicaValue(tx, 'pulled'))?.cursor !== pulled.cursor) return
  const named = page.log.flatMap(({ op_id }) => (op_id === null ? [] : [op_id]))
  const own = await listJournalled(tx, [...new Set(named)])
  const ownIds = new Set(own.map(({ op_id }) => op_id))
  const settled = own.filter(({ state }) => state !== 'settled' && state !== 'discarded').map((row) => ({ ...row, effect_seq: page.seq }))
  await askAgain(tx, page, ownIds)
  const others = new Set(page.log.filter(({ op_id }) => op_id === null || !ownIds.has(op_id)).map(({ uid }) => uid))
  const dropped = await findStale(tx, { others, settled })
  await parkDependents(tx, dropped)
  const isKept = deletions.length > 0 && (await findReplicaValue(tx, 'allowed')) === 'keep'
  // The remote knows them as deleted for good, so they get new identities.
  if (isKept) await createAgain(tx, new Map(deletions.map(({ table, ids }) => [table, new Set(ids)])), 'other')
  await rebase(
    tx,
    { parts: page.tables, removed: page.removed, settled, dropped, isWhole: isWhole || isKept, failed: 'conflict' },
    exchange,
  )
  await noteDeletions(tx, deletions)
  await noteMissingFiles(exchange, tx, page.tables)
  await writeReplicaValue(tx, 'pulled', { cursor: page.cursor, scopes: pulled.scopes, seq: page.seq })
  await notePoint(tx, page.cursor)
}

/**
 * Sends an acknowledged operation again if its effect should have come by now: the remote was restored to an earlier state. If the remote still has
 * it, it recognizes the operation's id.
 */
async function askAgain(tx: Tx, { has_more, seq }: ChangePage, named: ReadonlySet<string>): Promise<void> {
  for (const { id, op_id, effect_seq } of await listAcknowledged(tx))
    if (!named.has(op_id) && (!has_more || (effect_seq ?? 0) <= seq)) await updateOperation(tx, id, { state: 'sent', effect_seq: null })
}

/** Stores a position of the remote's history, newest first. */
export async function notePoint(tx: Tx, cursor: string): Promise<void> {
  const points = (await findReplicaValue(tx, 'points')) ?? []
  if (points[0] !== cursor) await writeReplicaValue(tx, 'points', [cursor, ...points].slice(0, keptPoints))
}

/** Unsent decisions about records that someone else has changed since. They are never repeated automatically (`SPEC.md`, "Meaning"). */
async function findStale(tx: Tx, { others, settled }: { others: ReadonlySet<string>; settled: readonly JournalEntry[] }): Promise<Drops> {
  const stale: Drops = new Map()
  if (others.size === 0) return stale
  const ended = new Set(settled.map(({ id }) => id))
  for (const row of await listUnsentDecisions(tx)) {
    if (ended.has(row.id)) continue
    if (!row.seen.some(({ uid }) => others.has(uid))) continue
    const response = { status: 412, message: 'stale', differences: [], by: null, at: null }
    stale.set(row.id, { state: 'conflict', answer: response })
  }
  return stale
}
