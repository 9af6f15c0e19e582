import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Expense } from '#shared/contract/expenses'
import { useRole } from '#renderer/state/membership'
import { useSelection } from '#renderer/state/selection'
import { cachedReader, pageKeyOf, type RowQuery } from './expense-reading'
import { useChangedRows } from './use-changed-rows'
import { RowSource, type RowSnapshot } from './row-source'
import { forgetRows, forgetSettled } from '#renderer/records/expense/expense-store'

/** The rows of the list. `isOther`: the rows shown are of another list, until those asked for are read; `isOutdated`: others have come or gone since. */
export type Rows = {
  readonly source: RowSource
  readonly snapshot: RowSnapshot
  readonly isOther: boolean
  readonly isOutdated: boolean
  readonly refresh: () => void
}

/** `previous`: the rows shown until the source is read; `abandoned`: a query that was left before its response. */
type Held = { readonly key: string; readonly source: RowSource; readonly previous: RowSource | undefined; readonly abandoned?: RowQuery }

/** A source that is being read. */
function makeSource(client: QueryClient, query: RowQuery, isListed: (expense: Expense) => boolean): RowSource {
  const { read, remembered } = cachedReader(client)
  const source = new RowSource({ query, read, isListed, remembered: remembered({ ...query, page: 1 }) })
  // Not left to an effect: the rows are on their way while the screen is drawn for the first time.
  source.start()
  return source
}

/** The rows of a list, visited again whenever the query or the person's role changes or `refresh` is called. Rows stay on the screen until the new ones arrive. */
export function useRows(query: RowQuery, isListed: (expense: Expense) => boolean): Rows {
  const role = useRole()
  const client = useQueryClient()
  const [visit, setVisit] = useState(0)
  const key = JSON.stringify([query, visit, role])
  const [held, setHeld] = useState<Held>(() => ({ key, source: makeSource(client, query, isListed), previous: undefined }))
  // One that was never read has nothing to show meanwhile: the rows of the one before it stay.
  const isRead = held.source.snapshot().count !== undefined
  if (held.key !== key) {
    const isLeft = !isRead && JSON.stringify(held.source.query) !== JSON.stringify(query)
    const previous = isRead ? held.source : held.previous
    setHeld({ key, source: makeSource(client, query, isListed), previous, abandoned: isLeft ? held.source.query : undefined })
  }
  const { source, previous, abandoned } = held
  const snapshot = useSyncExternalStore(source.subscribe, source.snapshot)
  useEffect(() => {
    forgetSettled()
    forgetRows((uid) => source.indexOf(uid) !== undefined || useSelection.getState().selection.except.has(uid))
    return source.follow()
  }, [source])
  useEffect(() => {
    // A page that nobody waits for any more keeps the server from the one that is waited for.
    if (abandoned) void client.cancelQueries({ queryKey: pageKeyOf(abandoned) })
  }, [client, abandoned])
  const isBehind = snapshot.count === undefined && snapshot.error === null && previous !== undefined
  const refresh = useCallback(() => setVisit((last) => last + 1), [])
  const isOutdated = useChangedRows({ source, refresh })
  return {
    source: isBehind ? previous : source,
    snapshot: isBehind ? previous.snapshot() : snapshot,
    isOther: isBehind && JSON.stringify(previous.query) !== JSON.stringify(query),
    isOutdated,
    refresh,
  }
}
