import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { PreExpense } from '#shared/contract/pre-expenses'
import type { PreExpenseState } from '#shared/domain/pre-expense-state'
import { failureText } from '../../api/failure-text'
import { readWhole, usePagedRows, type PagedRows } from '../../api/pages'
import { preExpenseKeys, readPreExpensePage } from '../../api/pre-expenses'
import { pagedSelection } from '../../records/list-screen/paged-selection'
import { notifyFailure } from '../../state/notices'
import type { GridSelection } from '../../ui/grid/grid-types'
import { useRowFocus } from '../../ui/grid/use-row-focus'

/** The list of one state: its rows, the focused one, the open one, the selected ones. */
export type PreExpenseRows = {
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
export function usePreExpenseList(state: PreExpenseState, openId: number | undefined): PreExpenseRows {
  const { t } = useTranslation('pre-expenses')
  const [, navigate] = useLocation()
  const [selected, setSelected] = useState<readonly PreExpense[]>([])
  const rows = usePagedRows<PreExpense>({
    queryKey: preExpenseKeys.list(state),
    read: (page, signal) => readPreExpensePage(state, page, signal),
  })
  const { count = 0, getRow } = rows
  const [focusWanted, setFocusWanted] = useRowFocus(`pre-expenses ${state}`, count)
  const focusIndex = indexOfOpen(openId, { count, getRow }) ?? focusWanted
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
    selection: pagedSelection<PreExpense>({
      count,
      getRow,
      selected: new Map(selected.map((row) => [row.id, row])),
      onSelected: (chosen) => setSelected([...chosen.values()]),
      readAll: () => readWhole((page) => readPreExpensePage(state, page)),
      onFailure: (error) => notifyFailure({ title: t('error'), message: failureText(error) }),
    }),
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
