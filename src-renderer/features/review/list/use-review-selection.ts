import { useEffect, useRef } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { Expense } from '#shared/contract/expenses'
import { claimedAmount, countedAmount } from '#shared/domain/counted-amount'
import {
  clear,
  countSelected,
  extentOf,
  isSelected,
  selectAllMatching,
  setManySelected,
  toggle,
  type ReviewSelection,
  type SelectionExtent,
} from '#renderer/state/review-selection'
import { useSelection } from '#renderer/state/selection'
import type { Money } from '#renderer/ui/values/format'
import type { GridSelect } from '#renderer/ui/grid/grid-types'
import { addTotals } from '#renderer/ui/values/sums'
import { queueSums, type ReviewSummary } from './queue-sums'
import type { ReviewView } from '#renderer/records/filters/review-view'
import { useExpenseStore } from '#renderer/records/expense/expense-store'
import type { Rows } from './use-rows'

/** The selection. `named`: the expenses that the selection names, which with `isAll` are those left out. */
export type SelectedExpenses = {
  readonly selection: ReviewSelection
  readonly isAll: boolean
  readonly named: readonly Expense[]
  readonly count: number
  /** What they count for, and the claimed sum. */
  readonly totals: readonly Money[]
  readonly claimed: readonly Money[]
  readonly extent: SelectionExtent
  readonly onSelect: (act: GridSelect) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

type SelectionInput = {
  rows: Rows
  view: ReviewView
  filterKey: string
  summary: ReviewSummary | undefined
  visible: { first: number; last: number }
}

/** The selection over the rows of the list: by row, by range, the visible rows, all matches. */
export function useReviewSelection({ rows, view, filterKey, summary, visible }: SelectionInput): SelectedExpenses {
  const { source, snapshot } = rows
  const selection = useSelection((state) => state.selection)
  const change = useSelection((state) => state.change)
  useAllEndsWithFilter(filterKey)
  const onSelect = useGridSelect(source, visible)
  const total = snapshot.count ?? 0
  const isAll = selection.default === 'all'
  const named = useExpenseStore(useShallow(({ rows: known }) => [...selection.except].flatMap((uid) => known.get(uid)?.expense ?? [])))
  const sums = summary && queueSums(summary, view.queue)
  const sign = isAll ? (-1 as const) : (1 as const)
  return {
    selection,
    isAll,
    named,
    onSelect,
    count: isAll ? countSelected(selection, sums?.count ?? total) : named.length,
    totals: addTotals([...(isAll ? (sums?.totals ?? []) : []), ...named.map((one) => ({ ...countedAmount(one), sign }))]),
    claimed: addTotals([...(isAll ? (sums?.claimed ?? []) : []), ...named.map((one) => ({ ...claimedAmount(one), sign }))]),
    extent: isAll ? extentOf(selection, total) : named.length === 0 ? 'none' : named.length >= total ? 'all' : 'some',
    selectAll: () => change(selectAllMatching),
    clear: () => change(clear),
  }
}

/** What the user does in the grid, done to the selection. `visible`: the rows on the screen. */
function useGridSelect(source: Rows['source'], visible: SelectionInput['visible']): SelectedExpenses['onSelect'] {
  const selection = useSelection((state) => state.selection)
  const change = useSelection((state) => state.change)
  const setRange = (from: number, to: number, selected: boolean) => {
    const inRange = Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => source.uidAt(Math.min(from, to) + step))
    const uids = inRange.filter((uid) => uid !== undefined)
    change((before) => setManySelected(before, uids, selected))
  }
  const isScreenSelected = () =>
    Array.from({ length: visible.last - visible.first + 1 }, (_, step) => source.uidAt(visible.first + step)).every(
      (uid) => uid === undefined || isSelected(selection, uid),
    )
  return (act) => {
    const uid = act.kind === 'toggle' ? source.uidAt(act.index) : undefined
    if (uid !== undefined) change((before) => toggle(before, uid))
    else if (act.kind === 'range') void source.ensure(act.from, act.to).then(() => setRange(act.from, act.to, true))
    else if (act.kind === 'toggle_all') {
      if (selection.default === 'all' || isScreenSelected()) change(clear)
      else setRange(visible.first, visible.last, true)
    } else if (act.kind === 'matching') change(selectAllMatching)
    else if (act.kind === 'all') {
      if (isScreenSelected()) change(selectAllMatching)
      else setRange(visible.first, visible.last, true)
    }
  }
}

/** All that match means all that this filter matches: another filter ends it. Expenses selected one by one stay selected. */
function useAllEndsWithFilter(filterKey: string): void {
  const last = useRef<string | null>(null)
  useEffect(() => {
    if (last.current !== filterKey && useSelection.getState().selection.default === 'all') useSelection.getState().change(clear)
    last.current = filterKey
  }, [filterKey])
}
