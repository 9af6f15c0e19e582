import type { OperationResponse } from '#shared/contract/sync'
import type { Tx } from '#main/store/core/store'
import { type JournalEntry, listShownOperations } from '#main/store/sync/sync-journal'
import { transact } from '../exchange'
import { type Drops, parkDependents } from '../park'
import { type Rebase, rebase } from '../overlay'
import { type PlainExchange, writingIn } from './reading'
import type { Reading } from './rows'

/** What to write, and the operations that it affects. */
export interface Applying {
  /** Collects the rows to write. */
  readonly fill: (reading: Reading, tx: Tx) => Promise<void>
  /** Operations that this settles. */
  readonly settled?: readonly JournalEntry[]
  readonly dropped?: Drops
  /** Records that others have changed: unsent decisions about their earlier state come back. */
  readonly others?: ReadonlySet<string>
  readonly failed?: Rebase['failed']
  /** Whether to undo every pending operation first; otherwise only those related to the incoming rows. */
  readonly isWhole?: boolean
  /** More writes in the same transaction. */
  readonly also?: (tx: Tx) => Promise<void>
}

/** Writes incoming records over the confirmed ones, and applies pending operations again on top, in one transaction. */
export async function apply(exchange: PlainExchange, applying: Applying): Promise<void> {
  try {
    await transact(exchange, (tx) => write(exchange, tx, applying))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT'))) throw error
    // A pending operation conflicts with the incoming rows: undo all of them first.
    exchange.log.info({ err: error }, 'changes are applied below every pending operation')
    await transact(exchange, (tx) => write(exchange, tx, { ...applying, isWhole: true }))
  }
}

async function write(exchange: PlainExchange, tx: Tx, applying: Applying): Promise<void> {
  const { fill, settled = [], others = new Set(), failed = 'conflict', also, isWhole = false } = applying
  const reading = writingIn(exchange, tx)
  await fill(reading, tx)
  const dropped: Drops = new Map([...(applying.dropped ?? []), ...(await findStale(tx, { others, settled }))])
  await parkDependents(tx, dropped)
  const { rows } = reading
  await rebase(tx, { parts: rows.toParts(), removed: rows.removed, settled, dropped, isWhole, failed }, exchange)
  await also?.(tx)
}

const stale: OperationResponse = { status: 412, message: 'stale', differences: [], by: null, at: null }

/** Unsent decisions about records that someone else has changed since. They are never repeated automatically. */
async function findStale(tx: Tx, { others, settled }: { others: ReadonlySet<string>; settled: readonly JournalEntry[] }): Promise<Drops> {
  if (others.size === 0) return new Map()
  const ended = new Set(settled.map(({ id }) => id))
  const decisions = (await listShownOperations(tx)).filter(
    ({ id, state, policy, seen }) =>
      state === 'pending' && policy === 'conditional' && !ended.has(id) && seen.some(({ uid }) => others.has(uid)),
  )
  return new Map(decisions.map(({ id }) => [id, { state: 'conflict', answer: stale }]))
}
