import { type Operation, type OperationResult, syncRoutes } from '#shared/contract/sync'
import { type JournalEntry, listProgress, listWaitingOperations, updateOperation } from '#main/store/sync/sync-journal'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { listBlobTransfers, noteBlobTransfer } from '#main/store/sync/sync-blobs'
import type { Tx } from '#main/store/core/store'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'
import { rebase } from '../overlay'
import { type Drops, maxAttempts, parkDependents } from '../park'

/** The most operations in one request. */
const maxOperations = 500
const maxBytes = 600_000

/** Sends waiting operations, oldest first. One that cannot be sent yet delays only those that depend on it. */
export async function push(exchange: Exchange): Promise<Event> {
  const chunk = await nextChunk(exchange)
  if (chunk.length === 0) return 'done'
  await transact(exchange, async (tx) => {
    for (const { id, state } of chunk) if (state === 'pending') await updateOperation(tx, id, { state: 'sent', sent_at: tx.now })
    return Promise.resolve()
  })
  const { results } = await exchange.remote.call(syncRoutes.push, { body: { operations: chunk.map(toOperation) } })
  const byId = new Map(results.map((result) => [result.op_id, result]))
  await transact(exchange, (tx) => noteResults(exchange, tx, { chunk, byId }))
  exchange.tally.pushed += results.filter(({ kind }) => kind === 'applied' || kind === 'merged').length
  const isStuck = results.every(({ kind }) => kind === 'retry' || kind === 'blocked')
  return isStuck ? 'done' : 'more'
}

/** An operation in its wire format. It never changes, so that repeats are identical to the byte. */
function toOperation(row: JournalEntry): Operation {
  const { op_id, method, path, body, refs, blobs, minted, seen, after_ops: after, base, mine, created_at } = row
  return { op_id, api_version: 'v1', method, path, body, refs, blobs, minted, seen, after, base, mine, created_at }
}

async function* waitingOperations({ store }: Exchange): AsyncGenerator<JournalEntry> {
  for (let after = 0; ;) {
    const page = await listWaitingOperations(store.reader, { after, limit: maxOperations })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < maxOperations) return
    after = last.id
  }
}

async function nextChunk(exchange: Exchange): Promise<JournalEntry[]> {
  const missing = new Set((await listBlobTransfers(exchange.store.reader, 'up')).map(({ sha256 }) => sha256))
  const held = new Set<string>()
  const chunk: JournalEntry[] = []
  let bytes = 0
  for await (const row of waitingOperations(exchange)) {
    if (row.blobs.some(({ sha256 }) => missing.has(sha256)) || row.depends_on.some((op_id) => held.has(op_id))) {
      held.add(row.op_id)
      continue
    }
    if (chunk.length > 0 && (chunk.length >= maxOperations || bytes + row.bytes > maxBytes)) break
    chunk.push(row)
    bytes += row.bytes + 1000
  }
  return chunk
}

async function noteResults(
  exchange: Exchange,
  tx: Tx,
  { chunk, byId }: { chunk: readonly JournalEntry[]; byId: ReadonlyMap<string, OperationResult> },
): Promise<void> {
  const settled: JournalEntry[] = []
  const dropped: Drops = new Map()
  const reached = (await findReplicaValue(tx, 'pulled'))?.seq ?? 0
  const numbers = chunk.map(({ id }) => id)
  const progress = new Map((await listProgress(tx, numbers)).map((one) => [one.id, one]))
  for (const row of chunk) {
    const result = byId.get(row.op_id)
    // A pull, or another process, may have been faster.
    const current = progress.get(row.id)
    if (!result || !current || (current.state !== 'sent' && current.state !== 'pending')) continue
    const { kind, status, message, differences, by, at, is_own } = result
    const response = { status, message, differences, by, at, is_own }
    if (kind === 'applied' || kind === 'merged') {
      // Local data include it already: it changed nothing, or came with a snapshot.
      if (result.seq === 0 || (result.is_duplicate && result.seq <= reached)) settled.push(row)
      else await updateOperation(tx, row.id, { state: 'acknowledged', effect_seq: result.seq, last_answer: response })
    } else if (kind === 'conflict' || kind === 'rejected') dropped.set(row.id, { state: kind, answer: response })
    else {
      for (const sha256 of result.missing_blobs) await noteBlobTransfer(tx, { sha256, direction: 'up', bytes: 0 })
      const attempts = current.attempts + 1
      await updateOperation(tx, row.id, { attempts, last_answer: response })
      if (attempts >= maxAttempts) dropped.set(row.id, { state: 'parked', answer: response })
    }
  }
  await parkDependents(tx, dropped)
  if (settled.length > 0 || dropped.size > 0)
    await rebase(tx, { parts: [], removed: [], settled, dropped, isWhole: false, failed: 'conflict' }, exchange)
}
