import { useEffect, useEffectEvent, useState } from 'react'
import { type ChangedExpenses, onExpensesChanged } from '#renderer/state/refresh-shown'
import { readRows } from './expense-reading'
import type { RowSource } from './row-source'

/** What the changes of others need of the list. */
type ChangingRows = {
  readonly source: RowSource
  /** Visits the list again. */
  readonly refresh: () => void
}

/**
 * After a change that others made the visible rows show their current state, each in its place: nothing moves under the reviewer.
 * Returns whether reloading would change the list; reloading is left to the reviewer.
 */
export function useChangedRows({ source, refresh }: ChangingRows): boolean {
  const [outdated, setOutdated] = useState<RowSource | null>(null)
  const look = useEffectEvent(async (changed: ChangedExpenses, isGone: () => boolean) => {
    const seen = source.inView().filter(({ expense: { uid } }) => changed === 'all' || changed.has(uid))
    const { count } = await readRows({ ...source.query, page: 1 })
    if (seen.length > 0) await readRows({ filter: { id_in: seen.map(({ expense }) => expense.id) }, sort: 'id', page: 1 })
    if (isGone()) return
    if (source.snapshot().count === 0 && count > 0) refresh()
    else setOutdated(count === source.listedCount ? null : source)
  })
  useEffect(() => {
    let isGone = false
    // Where they cannot be read now, the next change comes soon enough.
    const stop = onExpensesChanged((changed) => look(changed, () => isGone).catch(() => undefined))
    return () => {
      stop()
      isGone = true
    }
  }, [source])
  return outdated === source
}
