import type { QueryClient } from '@tanstack/react-query'
import type { Expense } from '#shared/contract/expenses'
import { expenseKeys } from '../../api/expenses'
import { now } from '../../ui/clock'
import { foreseen, operationsOf, targetOf, type ReviewAct } from './acts'
import type { RowSource } from './row-source'
import { setRowStates, type RowState } from './row-states'
import { afterAct, afterRedo, afterUndo, useHistory, type HistoryEntry } from './undo-history'
import { undoOperations, type UndoItem } from './undo-plan'
import { toSlices, writeSlice, type ExpenseWrites, type WriteOutcome } from './write-slices'

/** What acting needs of the screen. */
export type ReviewerDeps = {
  readonly client: QueryClient
  readonly source: RowSource
  /** Whether an expense of this status is in the list that is shown. */
  readonly isListed: (expense: Expense) => boolean
}

/** What came of many writes. `failed`: expenses that stay as they were, by uid. */
export type WriteResult = { readonly done: readonly Expense[]; readonly failed: readonly string[]; readonly isStopped: boolean }

/** How a long run is followed and stopped; `onDone` is told how many expenses are through. */
export type RunOptions = { readonly signal?: AbortSignal; readonly onDone?: (count: number) => void }

function stateOf(outcome: WriteOutcome, seen: Expense | undefined): RowState {
  if (outcome.kind === 'done') return { kind: 'settled', expense: outcome.expense }
  if (outcome.kind === 'changed') return { kind: 'changed', seen: seen ?? outcome.expense, expense: outcome.expense }
  return { kind: 'refused', reason: outcome.reason, expense: outcome.expense }
}

/** Writes the slices as they come, one after the other; each row shows its outcome at once. What is done stays done when stopped. */
async function writeAll(
  deps: ReviewerDeps,
  pages: AsyncIterable<readonly ExpenseWrites[]> | Iterable<readonly ExpenseWrites[]>,
  { seen, options }: { seen: ReadonlyMap<string, Expense>; options: RunOptions },
): Promise<WriteResult> {
  const done: Expense[] = []
  const failed: string[] = []
  let isStopped = false
  for await (const page of pages) {
    for (const slice of toSlices(page)) {
      isStopped = options.signal?.aborted === true
      if (isStopped) break
      const outcomes = await deps.source.duringWrite(writeSlice(slice))
      setRowStates(outcomes.map((outcome) => [outcome.uid, stateOf(outcome, seen.get(outcome.uid))]))
      for (const outcome of outcomes) note(deps, outcome)
      done.push(...outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.expense] : [])))
      failed.push(...outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [] : [outcome.uid])))
      options.onDone?.(done.length + failed.length)
    }
    if (isStopped) break
  }
  void deps.client.invalidateQueries({ queryKey: expenseKeys.all })
  return { done, failed, isStopped }
}

function note({ client, source, isListed }: ReviewerDeps, { uid, expense }: WriteOutcome): void {
  if (!expense) return
  source.mark(uid, isListed(expense))
  const key = expenseKeys.one(expense.id)
  if (client.getQueryData(key) !== undefined) client.setQueryData(key, expense)
}

const byUid = (expenses: readonly Expense[]) => new Map(expenses.map((expense) => [expense.uid, expense]))

function remember(act: ReviewAct, before: ReadonlyMap<string, Expense>, done: readonly Expense[]): void {
  const items = done.flatMap((after): UndoItem[] => {
    const was = before.get(after.uid)
    return was && undoOperations({ before: was, after }) ? [{ before: was, after }] : []
  })
  if (items.length > 0)
    useHistory.setState((history) => afterAct(history, { act, status: targetOf(act), items, at: now().toISOString() }))
}

/** Does one thing with known expenses: the rows show it at once and settle behind. */
export async function actOnRows(
  deps: ReviewerDeps,
  work: { act: ReviewAct; expenses: readonly Expense[] },
  options: RunOptions = {},
): Promise<WriteResult> {
  const { act, expenses } = work
  const seen = byUid(expenses)
  setRowStates(expenses.map((expense) => [expense.uid, { kind: 'saving', expense: foreseen(act, expense) }]))
  const writes = expenses.map((expense) => ({ id: expense.id, uid: expense.uid, operations: operationsOf(act, expense) }))
  const result = await writeAll(deps, [writes], { seen, options })
  const settled = new Set([...result.done.map(({ uid }) => uid), ...result.failed])
  setRowStates(expenses.filter(({ uid }) => !settled.has(uid)).map(({ uid }) => [uid, undefined]))
  remember(act, seen, result.done)
  return result
}

/** Does one thing with expenses as they are read, page by page; `pages` holds only those that can be moved. */
export async function actOnPages(
  deps: ReviewerDeps,
  work: { act: ReviewAct; pages: AsyncIterable<readonly Expense[]> },
  options: RunOptions,
): Promise<WriteResult & { readonly read: ReadonlyMap<string, Expense> }> {
  const { act, pages } = work
  const seen = new Map<string, Expense>()
  async function* writes() {
    for await (const page of pages) {
      for (const expense of page) seen.set(expense.uid, expense)
      yield page.map((expense) => ({ id: expense.id, uid: expense.uid, operations: operationsOf(act, expense) }))
    }
  }
  const result = await writeAll(deps, writes(), { seen, options })
  remember(act, seen, result.done)
  return { ...result, read: seen }
}

/** Takes an act back: each expense by the moves that lead back, all in as few requests as hold them. */
export async function undoEntry(deps: ReviewerDeps, entry: HistoryEntry, options: RunOptions = {}): Promise<WriteResult> {
  const writes = entry.items.flatMap((item): ExpenseWrites[] => {
    const operations = undoOperations(item)
    return operations ? [{ id: item.after.id, uid: item.after.uid, operations }] : []
  })
  const result = await writeAll(deps, [writes], { seen: new Map(), options })
  const back = byUid(result.done)
  const items = entry.items.flatMap((item) => {
    const before = back.get(item.after.uid)
    return before ? [{ before, after: item.after }] : []
  })
  const left = entry.items.filter(({ after }) => result.isStopped && !back.has(after.uid) && !result.failed.includes(after.uid))
  useHistory.setState((history) => {
    const undone = afterUndo(history, entry, items)
    return left.length > 0 ? { ...undone, done: [{ ...entry, items: left }, ...undone.done] } : undone
  })
  return result
}

/** The act without its words: they were said the first time. */
function withoutReason(act: ReviewAct): ReviewAct {
  return 'reason' in act ? { ...act, reason: '' } : act
}

/** Does again what was taken back. */
export async function redoEntry(deps: ReviewerDeps, entry: HistoryEntry, options: RunOptions = {}): Promise<WriteResult> {
  const act = withoutReason(entry.act)
  const writes = entry.items.map(({ before }) => ({ id: before.id, uid: before.uid, operations: operationsOf(act, before) }))
  const result = await writeAll(deps, [writes], { seen: new Map(), options })
  const again = byUid(result.done)
  const items = entry.items.flatMap(({ before }) => {
    const after = again.get(before.uid)
    return after ? [{ before, after }] : []
  })
  useHistory.setState((history) => afterRedo(history, entry, items))
  return result
}
