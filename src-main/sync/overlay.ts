import type { OperationResponse, RecordRef, TablePart } from '#shared/contract/sync'
import { applyRows, columnsOf, removeRecords } from '#main/store/sync/apply-rows'
import { reindexExpense } from '#main/store/records/expenses/expense-search'
import { keepAlias } from '#main/store/sync/id-aliases'
import { logPulled, logWholeBase, recordsIn, recordsNamed, recordsOf } from '#main/store/sync/pulled-changes'
import { sharedRecords } from '#main/store/sync/shared-records'
import { type JournalEntry, listByNumber, listShownNumbers, updateOperation } from '#main/store/sync/sync-journal'
import { listVerdicts, noteChangedVerdicts } from '#main/store/sync/changed-verdicts'
import { findByUid, findUid } from '#main/store/sync/sync-operations'
import { type UndoRow, listTouched, listWritersOf, undoOperations } from '#main/store/sync/sync-undo'
import type { Tx } from '#main/store/core/store'

/** Carries out a journalled operation again; returns its status and message. */
export type Replay = (tx: Tx, row: JournalEntry) => Promise<{ readonly status: number; readonly message: string | null }>

/** What comes over the base, and what becomes of operations with it. */
export interface Rebase {
  readonly parts: readonly TablePart[]
  readonly removed: ReadonlyArray<Pick<RecordRef, 'table' | 'id'>>
  /** Operations that are confirmed now: what came holds their effect. */
  readonly settled: readonly JournalEntry[]
  /** Operations that end without effect, and what becomes of them. */
  readonly dropped: ReadonlyMap<number, { readonly state: JournalEntry['state']; readonly answer: OperationResponse | null }>
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
  const isOverwritten = input.isWhole ? () => false : await overwrittenBy(tx, input.parts)
  const judged = await listVerdicts(tx, [
    ...expensesAmong(
      await listTouched(
        tx,
        input.settled.map(({ id }) => id),
      ),
    ),
  ])
  const changed = [...recordsIn(input.parts), ...(await recordsNamed(tx, input.removed))]
  const undone = await undoOperations(tx, affected, { isOverwritten, takeTurn })
  note(expensesAmong(undone))
  await applyMore?.(tx, note)
  note(await applyRows(tx, input.parts, { takeTurn }))
  note(await removeRecords(tx, input.removed))
  for (const row of input.settled) await settle(tx, row)
  for (const [id, { state, answer: response }] of input.dropped)
    await updateOperation(tx, id, { state, last_answer: response, settled_at: state === 'settled' ? tx.now : null })
  // What was written may have ended some, and added others.
  const pending = (input.isWhole ? await listShownNumbers(tx) : [...affected]).filter((number) => !ended.has(number))
  for (const row of await listByNumber(tx, pending)) {
    await redo(tx, row, { replay, failed: input.failed })
    await takeTurn()
  }
  note(expensesAmong(await listTouched(tx, pending)))
  await noteChangedVerdicts(tx, judged)
  for (const id of expense_ids) reindexExpense(tx, id)
  if (applyMore) return logWholeBase(tx)
  await logPulled(tx, [...recordsOf(undone), ...changed])
}

/** The expenses among some rows; those whose tags are among them too. */
function expensesAmong(rows: ReadonlyArray<Pick<Touched, 'table_name' | 'record_key'>>): Set<number> {
  const found = rows.filter(({ table_name }) => table_name === 'expenses' || table_name === 'expense_tags')
  return new Set(found.map(({ record_key }) => Number.parseInt(record_key, 10)))
}

/**
 * Whether what comes overwrites all of a row that an operation wrote: every column of the same record. One that the operation deleted
 * is restored first. A constraint that this runs into has all operations taken back (`steps/pull`).
 */
async function overwrittenBy(tx: Tx, parts: readonly TablePart[]): Promise<(row: UndoRow) => boolean> {
  const uids = new Map<string, unknown>()
  for (const { name, columns, rows } of parts) {
    const known = recordTables.has(name) ? [...(await columnsOf(tx, name)).keys()] : []
    if (!known.every((column) => columns.includes(column))) continue
    const [id, uid] = [columns.indexOf('id'), columns.indexOf('uid')]
    if (known.length > 0) for (const row of rows) uids.set(`${name}/${row[id]}`, row[uid])
  }
  return ({ table_name, record_key, record_uid, statement }: UndoRow) =>
    record_uid !== null && !statement.startsWith('INSERT') && uids.get(`${table_name}/${record_key}`) === record_uid
}

async function findAffected(tx: Tx, { parts, removed }: Rebase, ended: ReadonlySet<number>): Promise<Set<number>> {
  const affected = new Set(ended)
  const named = [...keysOf(parts), ...removed.map(({ table, id }) => ({ table, key: String(id) }))]
  for (const [table, keys] of Map.groupBy(named, (one) => one.table))
    for (const { operation } of await listWritersOf(
      tx,
      table,
      keys.map(({ key }) => key),
    ))
      affected.add(operation)
  // Operations that wrote a row after one that is undone are undone before it.
  for (let fresh = [...affected]; fresh.length > 0;) {
    const later = await listLaterWriters(tx, await listTouched(tx, fresh))
    fresh = [...later].filter((number) => !affected.has(number))
    for (const number of fresh) affected.add(number)
  }
  return affected
}

type Touched = Awaited<ReturnType<typeof listTouched>>[number]

/** The operations that wrote any of these rows after the one that is named with it. */
async function listLaterWriters(tx: Tx, touched: readonly Touched[]): Promise<Set<number>> {
  const later = new Set<number>()
  for (const [table, rows] of Map.groupBy(touched, ({ table_name }) => table_name)) {
    const first = new Map<string, number>()
    for (const { record_key, operation } of rows)
      first.set(record_key, Math.min(operation, first.get(record_key) ?? Number.POSITIVE_INFINITY))
    for (const { record_key, operation } of await listWritersOf(tx, table, [...first.keys()]))
      if (operation > (first.get(record_key) ?? operation)) later.add(operation)
  }
  return later
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
  await updateOperation(tx, row.id, { state: 'settled', settled_at: tx.now, effect_seq: row.effect_seq })
}

async function redo(tx: Tx, row: JournalEntry, { replay, failed }: { replay: Replay; failed: 'conflict' | 'quarantined' }): Promise<void> {
  const { status, message } = await replay(tx, row)
  // A fault of ours says nothing of the operation: the remote will judge it.
  if (status < 400 || status >= 500 || row.state === 'acknowledged') return
  // One that is on its way is the remote's to judge: its answer, or its effect, will tell.
  if (row.state === 'sent' && failed === 'conflict') return
  const response = { status, message, differences: [], by: null, at: null }
  await updateOperation(tx, row.id, { state: failed, last_answer: response })
}
