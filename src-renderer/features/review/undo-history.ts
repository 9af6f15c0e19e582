import { create } from 'zustand'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import type { ReviewAct } from './acts'
import type { UndoItem } from './undo-plan'

/** An act that can be taken back, or that was. `at`: ISO 8601. */
export type HistoryEntry = {
  readonly id: number
  readonly act: ReviewAct
  readonly status: ExpenseStatus
  readonly items: readonly UndoItem[]
  readonly at: string
}

/** What can be undone and what can be done again, newest first. */
export type History = {
  readonly done: readonly HistoryEntry[]
  readonly undone: readonly HistoryEntry[]
  readonly lastId: number
}

/** How many acts are remembered. */
const longest = 50

/** An act and what it did, not yet numbered. */
export type NewEntry = Omit<HistoryEntry, 'id'>

/** The history after a new act: what was undone before cannot be done again. */
export function afterAct({ done, lastId }: History, entry: NewEntry): History {
  return { done: [{ ...entry, id: lastId + 1 }, ...done].slice(0, longest), undone: [], lastId: lastId + 1 }
}

/** The history after an entry was undone; `items` are those that went back. */
export function afterUndo({ done, undone, lastId }: History, entry: HistoryEntry, items: readonly UndoItem[]): History {
  const back = items.length > 0 ? [{ ...entry, items }] : []
  return { done: done.filter(({ id }) => id !== entry.id), undone: [...back, ...undone], lastId }
}

/** The history after an undone entry was done again; `items` as they stand now. */
export function afterRedo({ done, undone, lastId }: History, entry: HistoryEntry, items: readonly UndoItem[]): History {
  const again = items.length > 0 ? [{ ...entry, items }] : []
  return { done: [...again, ...done], undone: undone.filter(({ id }) => id !== entry.id), lastId }
}

/** The reviewer's history of this window. */
export const useHistory = create<History>()(() => ({ done: [], undone: [], lastId: 0 }))
