import { useEffect, useEffectEvent, useState } from 'react'
import { useDebouncedCallback } from '@mantine/hooks'
import type { Expense } from '#shared/contract/expenses'
import { useExpense } from '#renderer/records/expense/use-expense'
import { useSelection } from '#renderer/state/selection'
import { findRow, type ExpenseRow, useExpenseStore } from '#renderer/records/expense/expense-store'
import type { Rows } from './use-rows'

/** How long the address waits for the focus to come to rest; the row itself moves at once. */
const restMs = 60

/**
 * The row that the keys act on. `target` is its expense, or the one in the detail when that is not in the list. None while another list is
 * still shown than the one asked for: a key would act on an expense that is about to go.
 */
export type ReviewFocus = {
  readonly index: number
  readonly target: Expense | undefined
  readonly getRow: (index: number) => ExpenseRow | undefined
  readonly moveTo: (index: number) => void
  readonly reset: () => void
}

/** Keeps the focus on its expense when the list is read again, and the open detail on the focus. */
export function useReviewFocus(rows: Rows, detail: { openId: number | null; onFollow: (id: number) => void }): ReviewFocus {
  const { source, snapshot } = rows
  const { openId, onFollow } = detail
  const focusedUid = useSelection((state) => state.focusedUid)
  const focusUid = useSelection((state) => state.focus)
  const [lastIndex, setLastIndex] = useState(0)
  const [followingId, setFollowingId] = useState<number | null>(null)
  const follow = useDebouncedCallback(onFollow, restMs)
  const known = focusedUid === null ? undefined : source.indexOf(focusedUid)
  const index = Math.min(known ?? lastIndex, (snapshot.count ?? 0) - 1)
  const getRow = (at: number) => source.rowAt(at)
  const focused = useExpenseStore((state) => state.rows.get(source.uidAt(index) ?? '')?.expense)
  const { expense: opened } = useExpense(openId ?? undefined)
  const isAttached = openId === null || focused?.id === openId || (followingId !== null && focused?.id === followingId)
  const moveTo = (at: number) => {
    const row = source.rowAt(at)?.expense
    setLastIndex(at)
    focusUid(row?.uid ?? null)
    if (openId === null || !row) return
    setFollowingId(row.id)
    follow(row.id)
  }
  useFocusOpened(rows, openId, (at) => {
    if (followingId === null || followingId === openId) {
      setLastIndex(at)
      focusUid(source.uidAt(at) ?? null)
    }
  })
  return {
    index,
    target: rows.isOther && openId === null ? undefined : isAttached ? focused : opened,
    getRow,
    moveTo,
    reset: () => {
      setLastIndex(0)
      focusUid(null)
    },
  }
}

/** An expense opened by the address (a link, the way back) takes the focus where it is in the list. */
function useFocusOpened({ source, snapshot }: Rows, openId: number | null, onFound: (index: number) => void): void {
  const find = useEffectEvent((id: number) => {
    const uid = source.loaded().find((known) => findRow(known)?.expense.id === id)
    const index = uid === undefined ? undefined : source.indexOf(uid)
    if (index !== undefined) onFound(index)
  })
  const isRead = snapshot.count !== undefined
  useEffect(() => {
    if (openId !== null && isRead) find(openId)
  }, [openId, isRead, source])
}
