import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { z } from 'zod'
import type { Expense } from '#shared/contract/expenses'
import { expenseKeys } from '../../../api/expenses'
import { cachedReader, pageKeyOf, RowSource, type RowQuery, type RowSnapshot } from './row-source'
import { useExchangedRows } from './use-exchanged-rows'
import { forgetSettled, setRowStates, useRowStates } from './row-states'

/** The rows of the list. `isBehind`: the rows shown are from an earlier visit while this one is read; `isOutdated`: others have come or gone since. */
export type Rows = {
  readonly source: RowSource
  readonly snapshot: RowSnapshot
  readonly isBehind: boolean
  readonly isOutdated: boolean
  readonly refresh: () => void
}

/** `previous`: the rows shown until the source is read; `abandoned`: a query that was left before its response. */
type Held = {
  readonly key: string
  readonly source: RowSource
  readonly previous: RowSource | undefined
  readonly abandoned?: RowQuery
}

/** A source that is being read. */
function makeSource(client: QueryClient, query: RowQuery): RowSource {
  const { read, remembered } = cachedReader(client)
  const source = new RowSource(query, read, remembered({ ...query, page: 1 }))
  // Not left to an effect: the rows are on their way while the screen is drawn for the first time.
  source.start()
  return source
}

/** The rows of a list, visited again whenever the query changes or `refresh` is called. Rows stay on the screen until the new ones arrive. */
export function useRows(query: RowQuery, isListed: (expense: Expense) => boolean): Rows {
  const client = useQueryClient()
  const [visit, setVisit] = useState(0)
  const key = JSON.stringify([query, visit])
  const [held, setHeld] = useState<Held>(() => ({ key, source: makeSource(client, query), previous: undefined }))
  // One that was never read has nothing to show meanwhile: the rows of the one before it stay.
  const isRead = held.source.snapshot().count !== undefined
  if (held.key !== key) {
    const isLeft = !isRead && JSON.stringify(held.source.query) !== JSON.stringify(query)
    const previous = isRead ? held.source : held.previous
    setHeld({ key, source: makeSource(client, query), previous, abandoned: isLeft ? held.source.query : undefined })
  }
  const { source, previous, abandoned } = held
  const snapshot = useSyncExternalStore(source.subscribe, source.snapshot)
  useEffect(() => forgetSettled(), [source])
  useEffect(() => {
    // A page that nobody waits for any more keeps the server from the one that is waited for.
    if (abandoned) void client.cancelQueries({ queryKey: pageKeyOf(abandoned) })
  }, [client, abandoned])
  useDetailEdits(client, source, isListed)
  const isBehind = snapshot.count === undefined && snapshot.error === null && previous !== undefined
  const refresh = useCallback(() => setVisit((last) => last + 1), [])
  const isOutdated = useExchangedRows({ source, isListed, refresh })
  return {
    source: isBehind ? previous : source,
    snapshot: isBehind ? previous.snapshot() : snapshot,
    isBehind,
    isOutdated,
    refresh,
  }
}

/** A change in the detail shows in its row at once. */
function useDetailEdits(client: QueryClient, source: RowSource, isListed: (expense: Expense) => boolean): void {
  const judge = useEffectEvent(isListed)
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return
        const expense = findOne(client, event.query.queryKey)
        const read = expense && source.find(expense.uid)
        if (!expense || !read) return
        const known = useRowStates.getState().states.get(expense.uid)
        if (known?.kind === 'saving' || expense.version <= (known?.expense ?? read).version) return
        source.mark(expense.uid, judge(expense))
        setRowStates([[expense.uid, { kind: 'settled', expense }]])
      }),
    [client, source],
  )
}

const oneKey = z.tuple([z.literal('expenses'), z.literal('one'), z.number()])

/** The expense under a query key, when it is the key of one. */
function findOne(client: QueryClient, key: unknown): Expense | undefined {
  const parsed = oneKey.safeParse(key)
  return parsed.success ? client.getQueryData<Expense>(expenseKeys.one(parsed.data[2])) : undefined
}
