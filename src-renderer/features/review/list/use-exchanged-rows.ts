import { useEffect, useEffectEvent, useState } from 'react'
import type { Expense } from '#shared/contract/expenses'
import { readExpensePage } from '../../../api/expenses'
import { useFrame } from '../../../state/frame'
import type { RowSource } from './row-source'
import { type RowState, setRowStates, useRowStates } from './row-states'

/** What the exchange needs of the list. */
type ExchangedRows = {
  readonly source: RowSource
  readonly isListed: (expense: Expense) => boolean
  /** Visits the list again. */
  readonly refresh: () => void
}

/**
 * After an exchange with the remote the visible rows show their current state, each in its place: nothing moves under the reviewer.
 * Returns whether reloading would change the list; reloading is left to the reviewer.
 */
export function useExchangedRows({ source, isListed, refresh }: ExchangedRows): boolean {
  const turn = useFrame((state) => state.syncTurn)
  const [outdated, setOutdated] = useState<RowSource | null>(null)
  const look = useEffectEvent(async (isGone: () => boolean) => {
    const seen = source.inView()
    const { count } = await readExpensePage({ ...source.query, page: 1 })
    const read = seen.length === 0 ? [] : await readAgain(seen)
    if (isGone()) return
    const { states } = useRowStates.getState()
    const changed = read.filter(({ uid, version }) => {
      const known = states.get(uid)
      return known?.kind !== 'saving' && version !== (known?.expense ?? source.find(uid))?.version
    })
    for (const expense of changed) source.mark(expense.uid, isListed(expense))
    if (changed.length > 0) {
      source.replace(changed)
      setRowStates(changed.map((expense) => [expense.uid, stateAfter(states.get(expense.uid), expense)]))
    }
    if (source.snapshot().count === 0 && count > 0) refresh()
    else setOutdated(count === source.listedCount ? null : source)
  })
  useEffect(() => {
    if (turn <= 1) return
    let isGone = false
    // Where it cannot be read now, the next exchange comes soon enough.
    const timer = setTimeout(() => void look(() => isGone).catch(() => undefined))
    return () => {
      clearTimeout(timer)
      isGone = true
    }
  }, [turn, source])
  return outdated === source
}

/** What a reviewer still has to see or to decide about a row is kept when someone else changes its expense. */
function stateAfter(state: RowState | undefined, expense: Expense): RowState | undefined {
  if (state?.kind === 'changed') return { ...state, expense }
  return state?.kind === 'refused' && state.unsent ? { ...state, expense } : undefined
}

async function readAgain(seen: readonly Expense[]): Promise<readonly Expense[]> {
  const filter = { id_in: seen.map(({ id }) => id) }
  return (await readExpensePage({ filter, sort: 'id', page: 1 })).expenses
}
