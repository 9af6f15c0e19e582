import { useEffect, useEffectEvent, useState } from 'react'
import { useFrame } from '#renderer/state/frame'
import { readRows } from './expense-reading'
import type { RowSource } from './row-source'

/** What the exchange needs of the list. */
type ExchangedRows = {
  readonly source: RowSource
  /** Visits the list again. */
  readonly refresh: () => void
}

/**
 * After an exchange with the remote the visible rows show their current state, each in its place: nothing moves under the reviewer.
 * Returns whether reloading would change the list; reloading is left to the reviewer.
 */
export function useExchangedRows({ source, refresh }: ExchangedRows): boolean {
  const turn = useFrame((state) => state.syncTurn)
  const [outdated, setOutdated] = useState<RowSource | null>(null)
  const look = useEffectEvent(async (isGone: () => boolean) => {
    const seen = source.inView().map(({ expense }) => expense.id)
    const { count } = await readRows({ ...source.query, page: 1 })
    if (seen.length > 0) await readRows({ filter: { id_in: seen }, sort: 'id', page: 1 })
    if (isGone()) return
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
