import type { Expense } from '#shared/contract/expenses'
import type { Decision } from './deciding/decision'
import { createPageStore } from '#renderer/api/page/page-state'

/** An act without a response, and the expense as the reviewer saw it. */
export type Unsent = { readonly act: Decision; readonly seen: Expense }

/**
 * What an act makes of a row. `saving`: the act is on its way, and the row shows its outcome. `settled`: it was decided in this visit.
 * `refused`: the act was refused, with the reason, or got no response. `changed`: someone else wrote in between; `seen` is how the reviewer
 * saw the expense. `unsent`: the act, as long as it can be sent again.
 */
export type RowState =
  | { readonly kind: 'saving'; readonly expense: Expense; readonly unsent?: Unsent }
  | { readonly kind: 'settled' }
  | { readonly kind: 'refused'; readonly reason: string; readonly unsent?: Unsent }
  | { readonly kind: 'changed'; readonly seen: Expense }

/** One row: the displayed expense, and its state. The same object as long as nothing of it changes. */
export type ExpenseRow = { readonly expense: Expense; readonly state: RowState | undefined }

/**
 * `known`: the expense as the server last had it; `heardAt`: the turn in which this was heard; `outcome`: the state that the row gets
 * once no later act waits for it.
 */
type StoredRow = ExpenseRow & { readonly known: Expense; readonly heardAt: number; readonly outcome?: RowState | undefined }

/** Every expense that this page heard of, by uid: the one place that queries, events, responses and acts write to. */
export const useExpenseStore = createPageStore<{ rows: ReadonlyMap<string, StoredRow> }>(() => ({ rows: new Map() }))

/** Counts what is heard and asked: of two readings without overlap the later one holds, whatever their versions. */
let turn = 0

/** The time at which a reading begins, for {@link hearExpenses}. */
export function readingBegins(): number {
  turn += 1
  return turn
}

const listeners = new Set<(expense: Expense) => void>()

/** Calls a listener with each expense that is news, until it is stopped. */
export function onHeard(listener: (expense: Expense) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The row of an expense, if it was heard of. */
export function findRow(uid: string): ExpenseRow | undefined {
  return useExpenseStore.getState().rows.get(uid)
}

/** An expense as the server last had it, if it was heard of. */
export function findKnown(id: number): Expense | undefined {
  for (const { known } of useExpenseStore.getState().rows.values()) if (known.id === id) return known
  return undefined
}

/** An expense that was read as it is shown: with what was decided here, and as the server last had it. */
export function shownOf(rows: ReadonlyMap<string, ExpenseRow>, read: Expense): Expense {
  const row = rows.get(read.uid)
  return row && (row.state?.kind === 'saving' || row.expense.version >= read.version) ? row.expense : read
}

function isNews(expense: Expense, row: StoredRow | undefined, since: number): boolean {
  if (!row) return true
  if (row.known === expense) return false
  // On a replica an operation that the remote rejects takes its version back.
  return expense.version >= row.known.version || since > row.heardAt
}

/** What is left of a state when the server has another version: what a reviewer still has to see or to decide about the row stays. */
function stateAfter(state: RowState | undefined): RowState | undefined {
  return state?.kind === 'refused' && !state.unsent ? undefined : state
}

function makeRow(known: Expense, state: RowState | undefined, heardAt: number): StoredRow {
  return { known, state, heardAt, expense: state?.kind === 'saving' ? state.expense : known }
}

/** Takes expenses as the server has them; `since`: when their reading began, where they were read. Older ones are left out. */
export function hearExpenses(expenses: Iterable<Expense>, since = 0): void {
  const { rows } = useExpenseStore.getState()
  const news = [...expenses].filter((expense) => isNews(expense, rows.get(expense.uid), since))
  if (news.length === 0) return
  turn += 1
  const next = new Map(rows)
  for (const known of news) {
    const row = next.get(known.uid)
    const state = row?.known.version === known.version ? row.state : stateAfter(row?.state)
    next.set(known.uid, { ...makeRow(known, state, turn), outcome: row?.outcome })
  }
  useExpenseStore.setState({ rows: next })
  for (const listener of listeners) for (const expense of news) listener(expense)
}

/** Gives some rows a state, or takes it away. An expense that was not heard of is known as the reviewer saw it. */
export function setRowStates(changes: Iterable<readonly [string, RowState | undefined]>): void {
  useExpenseStore.setState(({ rows }) => {
    const next = new Map(rows)
    for (const [uid, state] of changes) {
      const row = next.get(uid)
      const known = row?.known ?? (state?.kind === 'refused' ? state.unsent?.seen : undefined)
      if (known) next.set(uid, makeRow(known, state, row?.heardAt ?? 0))
    }
    return { rows: next }
  })
}

/** Notes what came of acts on some rows: a row for which another act waits shows it only after that. */
export function noteOutcomes(outcomes: Iterable<readonly [string, RowState | undefined]>, isWaiting: (uid: string) => boolean): void {
  useExpenseStore.setState(({ rows }) => {
    const next = new Map(rows)
    for (const [uid, outcome] of outcomes) {
      const row = next.get(uid)
      if (row) next.set(uid, isWaiting(uid) ? { ...row, outcome } : makeRow(row.known, outcome, row.heardAt))
    }
    return { rows: next }
  })
}

/** What came of the acts on a row that still shows a later one. */
export function outcomeOf(uid: string): RowState | undefined {
  return useExpenseStore.getState().rows.get(uid)?.outcome
}

/** Forgets what was decided in an earlier visit; what the reviewer has not seen yet stays. */
export function forgetSettled(): void {
  const { rows } = useExpenseStore.getState()
  setRowStates([...rows].flatMap(([uid, { state }]) => (state?.kind === 'settled' ? [[uid, undefined] as const] : [])))
}

/** Shows an expense as it is by now: its reader knows why it was left. */
export function lookAgain(uid: string): void {
  setRowStates([[uid, undefined]])
}

/** How many rows are kept in any case. */
const mostKept = 20_000

/** Lets go of rows that no list and no act needs, where there are many. */
export function forgetRows(isNeeded: (uid: string) => boolean): void {
  const { rows } = useExpenseStore.getState()
  if (rows.size <= mostKept) return
  useExpenseStore.setState({ rows: new Map([...rows].filter(([uid, { state }]) => state !== undefined || isNeeded(uid))) })
}
