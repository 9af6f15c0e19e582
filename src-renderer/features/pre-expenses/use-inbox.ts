import { useState } from 'react'
import { useLocation } from 'wouter'
import type { PreExpense } from '#shared/contract/pre-expenses'
import type { PreExpenseState } from '#shared/domain/pre-expense-state'
import { usePagedRows, type PagedRows } from '../../api/pages'
import { preExpenseKeys, readPreExpensePage } from '../../api/pre-expenses'
import type { GridSelection, GridSelect } from '../../ui/grid/grid-types'

/** The list of one state: its rows, the focused one, the open one, the selected ones. */
export type Inbox = {
  readonly rows: PagedRows<PreExpense>
  readonly focusIndex: number
  readonly focused: PreExpense | undefined
  readonly move: (index: number) => void
  readonly open: (id: number | undefined) => void
  readonly selection: GridSelection<PreExpense>
  readonly selected: readonly PreExpense[]
  readonly setSelected: (selected: readonly PreExpense[]) => void
  /** The row to continue with when these are gone from the list. */
  readonly nextAfter: (ids: ReadonlySet<number>) => PreExpense | undefined
}

/** The address of a list, and of one of its pre-expenses. */
export function addressOf(state: PreExpenseState, id?: number): string {
  const path = id === undefined ? '/pre-expenses' : `/pre-expenses/${id}`
  return state === 'waiting_approval' ? path : `${path}?status=${state}`
}

/** Keeps the list of one state. Once a detail is open it follows the focus, as letters do in an inbox. */
export function useInbox(state: PreExpenseState, openId: number | undefined): Inbox {
  const [, navigate] = useLocation()
  const [focusWanted, setFocusWanted] = useState(0)
  const [selected, setSelected] = useState<readonly PreExpense[]>([])
  const rows = usePagedRows<PreExpense>({
    queryKey: preExpenseKeys.list(state),
    read: (page, signal) => readPreExpensePage(state, page, signal),
  })
  const { count = 0, getRow } = rows
  const focusIndex = indexOfOpen(openId, { count, getRow }) ?? Math.min(focusWanted, Math.max(0, count - 1))
  const open = (id: number | undefined) => navigate(addressOf(state, id), { replace: openId !== undefined && id !== undefined })
  const move = (index: number) => {
    const to = Math.max(0, Math.min(count - 1, index))
    setFocusWanted(to)
    const row = getRow(to)
    if (openId !== undefined && row) open(row.id)
  }
  return {
    rows,
    focusIndex,
    focused: getRow(focusIndex),
    move,
    open,
    selected,
    setSelected,
    selection: {
      isSelected: ({ id }) => selected.some((known) => known.id === id),
      extent: selected.length === 0 ? 'none' : selected.length >= count ? 'all' : 'some',
      onSelect: (act) => setSelected(selectIn(act, selected, { count, getRow })),
    },
    nextAfter: (ids) => {
      const indexes = [...Array(Math.max(0, count - focusIndex)).keys()].map((step) => focusIndex + step)
      const before = [...Array(focusIndex).keys()].toReversed()
      return [...indexes, ...before].map((index) => getRow(index)).find((row) => row !== undefined && !ids.has(row.id))
    },
  }
}

/** The position of the open one among the loaded rows. */
function indexOfOpen(
  openId: number | undefined,
  { count, getRow }: { count: number; getRow: (index: number) => PreExpense | undefined },
): number | undefined {
  if (openId === undefined) return undefined
  for (let index = 0; index < count; index += 1) if (getRow(index)?.id === openId) return index
  return undefined
}

/** The selection after an act in the grid, among the loaded rows. */
function selectIn(
  act: GridSelect,
  selected: readonly PreExpense[],
  { count, getRow }: { count: number; getRow: (index: number) => PreExpense | undefined },
): readonly PreExpense[] {
  const between = (from: number, to: number) =>
    Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => getRow(Math.min(from, to) + step)).filter((row) => row !== undefined)
  const withAll = (rows: readonly PreExpense[]) => [...selected, ...rows.filter(({ id }) => !selected.some((known) => known.id === id))]
  switch (act.kind) {
    case 'toggle': {
      const row = getRow(act.index)
      if (!row) return selected
      return selected.some(({ id }) => id === row.id) ? selected.filter(({ id }) => id !== row.id) : [...selected, row]
    }
    case 'range':
      return withAll(between(act.from, act.to))
    case 'toggle_all':
      return selected.length > 0 ? [] : between(0, count - 1)
    case 'all':
      return withAll(between(0, count - 1))
  }
}
