import { keepPreviousData, useQueries, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'

/** How many records one page of a list holds. */
export const pageSize = 100

/** One page of a list. */
export interface ListPage<T> {
  readonly count: number
  readonly rows: readonly T[]
}

/** Reads a list from its first page to its last; `onRead` gets the number of rows read so far. */
export async function readWhole<T>(
  read: (page: number) => Promise<ListPage<T>>,
  onRead?: (done: number, total: number) => void,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page += 1) {
    const { count, rows } = await read(page)
    all.push(...rows)
    onRead?.(all.length, count)
    if (rows.length === 0 || all.length >= count) return all
  }
}

/** A list of any length, of which the pages that are seen are read: what a virtual grid asks for. */
export interface PagedRows<T> {
  /** Undefined until the first page is there. */
  readonly count: number | undefined
  readonly error: Error | null
  readonly retry: () => void
  /** Undefined for a row that is not loaded yet. */
  readonly getRow: (index: number) => T | undefined
  /** For the grid's `onRangeChange`. */
  readonly onRangeChange: (first: number, last: number) => void
}

/**
 * Reads the pages of a list that are seen; those read before are still known. `queryKey` names the list with its filter and
 * order, `read` gets one page, counted from 1, of {@link pageSize} records.
 */
export function usePagedRows<T>({
  queryKey,
  read,
}: {
  queryKey: QueryKey
  read: (page: number, signal: AbortSignal) => Promise<ListPage<T>>
}): PagedRows<T> {
  const [{ first, last }, setRange] = useState({ first: 1, last: 1 })
  const numbers = [...new Set([1, ...Array.from({ length: last - first + 1 }, (_, index) => first + index)])]
  const pages = useQueries({
    queries: numbers.map((page) => ({
      queryKey: [...queryKey, page],
      placeholderData: keepPreviousData<ListPage<T>>,
      queryFn: ({ signal }: { signal: AbortSignal }) => read(page, signal),
    })),
  })
  const failed = pages.find(({ error, data }) => error !== null && data === undefined)
  return {
    count: pages[0]?.data?.count,
    error: failed?.error ?? null,
    retry: () => {
      for (const page of pages) void page.refetch()
    },
    getRow: (index) => {
      const page = pages[numbers.indexOf(pageOfRow(index))]
      return page?.isPlaceholderData === true ? undefined : page?.data?.rows[index % pageSize]
    },
    onRangeChange: (from, to) => setRange({ first: pageOfRow(from), last: pageOfRow(to) }),
  }
}

function pageOfRow(index: number): number {
  return Math.floor(index / pageSize) + 1
}
