import type { OperationAnswer, RecordRef, TablePart } from '#shared/contract/sync'
import { applyRows, findAnew, removeRecords } from '#main/store/apply-rows'
import { keepAlias } from '#main/store/id-aliases'
import { sharedRecords } from '#main/store/shared-records'
import { type JournalEntry, listByNumber, listShownNumbers, updateOperation } from '#main/store/sync-journal'
import { findByUid, findUid } from '#main/store/sync-operations'
import { listTouched, listWriters, undoOperation } from '#main/store/sync-undo'
import type { Tx } from '#main/store/store'

/** Carries out a journalled operation again; answers its status and message. */
export type Replay = (tx: Tx, row: JournalEntry) => Promise<{ readonly status: number; readonly message: string | null }>

/** What comes over the base, and what becomes of operations with it. */
export interface Rebase {
  readonly parts: readonly TablePart[]
  readonly removed: ReadonlyArray<Pick<RecordRef, 'table' | 'id'>>
  /** Operations that are confirmed now: what came holds their effect. */
  readonly settled: readonly JournalEntry[]
  /** Operations that end without effect, and what becomes of them. */
  readonly dropped: ReadonlyMap<number, { readonly state: JournalEntry['state']; readonly answer: OperationAnswer | null }>
  /** Take every operation back, not only those that what comes has to do with. */
  readonly isWhole: boolean
  /** What becomes of one that cannot be carried out over the new base. */
  readonly failed: 'conflict' | 'quarantined'
}

export interface OverlayDeps {
  readonly replay: Replay
  readonly takeTurn: () => Promise<void>
  /** Writes the base itself, where it does not come as parts. */
  readonly applyMore?: (tx: Tx, note: (expense_ids: ReadonlySet<number>) => void) => Promise<void>
}

/**
 * Visible = confirmed base + pending operations carried out again (`SPEC.md`, "Meaning"): takes back the operations that what
 * comes touches, and those after them that wrote the same rows; writes the base; carries out again those that are still pending.
 */
export async function rebase(tx: Tx, input: Rebase, { replay, takeTurn, applyMore }: OverlayDeps): Promise<void> {
  const ended = new Set([...input.settled.map(({ id }) => id), ...input.dropped.keys()])
  const affected = input.isWhole ? new Set([...(await listShownNumbers(tx)), ...ended]) : await findAffected(tx, input, ended)
  const expense_ids = new Set<number>()
  const note = (ids: ReadonlySet<number>) => {
    for (const id of ids) expense_ids.add(id)
  }
  note(await touchedExpenses(tx, affected))
  for (const number of [...affected].sort((a, b) => b - a)) {
    await undoOperation(tx, number)
    await takeTurn()
  }
  await applyMore?.(tx, note)
  note(await applyRows(tx, input.parts, { takeTurn }))
  note(await removeRecords(tx, input.removed))
  for (const row of input.settled) await settle(tx, row)
  for (const [id, { state, answer }] of input.dropped)
    updateOperation(tx, id, { state, last_answer: answer, settled_at: state === 'settled' ? tx.now : null })
  const pending = [...affected].filter((number) => !ended.has(number))
  for (const row of await listByNumber(tx, pending)) {
    await redo(tx, row, { replay, failed: input.failed })
    await takeTurn()
  }
  note(await touchedExpenses(tx, new Set(pending)))
  await findAnew(tx, expense_ids, takeTurn)
}

async function touchedExpenses(tx: Tx, operations: ReadonlySet<number>): Promise<Set<number>> {
  const touched = await listTouched(tx, [...operations])
  return new Set(touched.filter(({ table_name }) => table_name === 'expenses').map(({ record_key }) => Number(record_key)))
}

async function findAffected(tx: Tx, { parts, removed }: Rebase, ended: ReadonlySet<number>): Promise<Set<number>> {
  const affected = new Set(ended)
  for (const { table, key } of [...keysOf(parts), ...removed.map(({ table: name, id }) => ({ table: name, key: String(id) }))])
    for (const number of await listWriters(tx, table, key)) affected.add(number)
  // Whoever wrote a row after one that is taken back is taken back before it.
  for (let size = -1; size !== affected.size;) {
    size = affected.size
    for (const { table_name, record_key, operation } of await listTouched(tx, [...affected]))
      for (const number of await listWriters(tx, table_name, record_key)) if (number > operation) affected.add(number)
  }
  return affected
}

const recordTables = new Set<string>(sharedRecords.map(({ table }) => table))

function keysOf(parts: readonly TablePart[]): Array<{ table: string; key: string }> {
  return parts.flatMap(({ name, columns, rows }) => {
    const id = columns.indexOf('id')
    return recordTables.has(name) && id >= 0 ? rows.map((row) => ({ table: name, key: String(row[id]) })) : []
  })
}

/** A confirmed operation: what it made is known by the ids that the remote gave, and found by those it had here. */
async function settle(tx: Tx, row: JournalEntry): Promise<void> {
  for (const { table, id, uid } of row.minted) {
    const record = await findByUid(tx, table, uid)
    // An id that another record has is that record's.
    if (record && id !== null && record.id !== id && (await findUid(tx, table, id)) === undefined)
      await keepAlias(tx, { table_name: table, provisional_id: id, record_id: record.id })
  }
  updateOperation(tx, row.id, { state: 'settled', settled_at: tx.now, effect_seq: row.effect_seq })
}

async function redo(
  tx: Tx,
  row: JournalEntry,
  { replay, failed }: { replay: Replay; failed: 'conflict' | 'quarantined' },
): Promise<void> {
  const { status, message } = await replay(tx, row)
  // A fault of ours says nothing of the operation: the remote will judge it.
  if (status < 400 || status >= 500 || row.state === 'acknowledged') return
  // One that is on its way is the remote's to judge: its answer, or its effect, will tell.
  if (row.state === 'sent' && failed === 'conflict') return
  const answer = { status, message, differences: [], by: null, at: null }
  updateOperation(tx, row.id, { state: failed, last_answer: answer })
}
