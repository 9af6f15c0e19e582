import { create } from 'zustand'
import type { Expense } from '#shared/contract/expenses'
import type { ReviewDecision } from '../deciding/decision'

/** An act without a response, and the expense as the reviewer saw it. */
export type Unsent = { readonly act: ReviewDecision; readonly seen: Expense }

/**
 * How a row stands to the server. `saving`: shown as it will be; `unsent`: the act that is on its way. `settled`: as the server answered.
 * `refused`: back as it was, with the reason; `unsent`: the act, if no response came and it can be sent again. `changed`: someone else wrote in between; `expense` is its
 * current state, `seen` how the reviewer saw it.
 */
export type RowState =
  | { readonly kind: 'saving'; readonly expense: Expense; readonly unsent?: Unsent }
  | { readonly kind: 'settled'; readonly expense: Expense }
  | { readonly kind: 'refused'; readonly reason: string; readonly expense?: Expense; readonly unsent?: Unsent }
  | { readonly kind: 'changed'; readonly seen: Expense; readonly expense: Expense }

/** One row of the list: the displayed expense, and its state. */
export type ReviewRow = { readonly expense: Expense; readonly state: RowState | undefined }

/** The states of the rows that were acted on, by uid. */
export const useRowStates = create<{ states: ReadonlyMap<string, RowState> }>()(() => ({ states: new Map() }))

/** Gives some rows a state, or takes it away. */
export function setRowStates(changes: Iterable<readonly [string, RowState | undefined]>): void {
  useRowStates.setState(({ states }) => {
    const next = new Map(states)
    for (const [uid, state] of changes) {
      if (state) next.set(uid, state)
      else next.delete(uid)
    }
    return { states: next }
  })
}

/** Shows an expense as it is by now: its reader knows why it was left. */
export function lookAgain(uid: string): void {
  const state = useRowStates.getState().states.get(uid)
  setRowStates([[uid, state?.kind === 'changed' ? { kind: 'settled', expense: state.expense } : undefined]])
}

/** Forgets states that the reloaded list shows already; those that the reviewer has not seen yet stay. */
export function forgetSettled(): void {
  useRowStates.setState(({ states }) => ({ states: new Map([...states].filter(([, { kind }]) => kind !== 'settled')) }))
}

const shown = new WeakMap<Expense, ReviewRow>()

/** A displayed row, the same object as long as nothing of it changes: the expense as read, or its state since. */
export function toRow(read: Expense, states: ReadonlyMap<string, RowState>): ReviewRow {
  const state = states.get(read.uid)
  const since = state?.expense
  const last = shown.get(read)
  if (last && last.state === state) return last
  const row: ReviewRow = { expense: since && (state.kind === 'saving' || since.version >= read.version) ? since : read, state }
  shown.set(read, row)
  return row
}
