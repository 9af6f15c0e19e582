import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import type { Expense } from '#shared/contract/expenses'
import { expenseKeys, readExpensePage, type ExpenseFilter, type ExpensePage } from '#renderer/api/expenses'
import { hearExpenses, onHeard, readingBegins } from './row-store'

/** What a list shows. */
export type RowQuery = { readonly filter: ExpenseFilter; readonly sort: string }

/** One page of a list: whose rows are where. The rows themselves are in the store. */
export type RowPage = { readonly count: number; readonly uids: readonly string[] }

/** Reads one page of a list as the server has it now; `page` counts from 1. Only what is asked for in the same `turn` shares a response. */
export type ReadPage = (query: RowQuery & { page: number; turn?: number }) => Promise<RowPage>

/** The key of the pages of a list. */
export function pageKeyOf({ filter, sort }: RowQuery) {
  return ['review', 'page', filter, sort] as const
}

/** Reads a page of expenses into the row store. */
export async function readRows(query: RowQuery & { page: number }, signal?: AbortSignal): Promise<RowPage> {
  const since = readingBegins()
  const { count, expenses }: ExpensePage = await readExpensePage(query, signal)
  hearExpenses(expenses, since)
  return { count, uids: expenses.map(({ uid }) => uid) }
}

/** Reads pages through the query cache, which keeps the order of the last ones for coming back. */
export function cachedReader(client: QueryClient): {
  read: ReadPage
  remembered: (query: RowQuery & { page: number }) => RowPage | undefined
} {
  return {
    read: ({ turn = 0, ...query }) =>
      client.fetchQuery({
        queryKey: [...pageKeyOf(query), query.page, turn],
        queryFn: ({ signal }) => readRows(query, signal),
        staleTime: 0,
      }),
    remembered: (query) => client.getQueryData<RowPage>([...pageKeyOf(query), query.page, 0]),
  }
}

const oneKey = z.tuple([z.literal('expenses'), z.literal('one'), z.number()])

/** Keeps the open detail and the rows at the same version: what one of them hears, the other shows. Returns what ends it. */
export function joinDetail(client: QueryClient): () => void {
  const stopCache = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const key = oneKey.safeParse(event.query.queryKey)
    const read = key.success ? client.getQueryData<Expense>(expenseKeys.one(key.data[2])) : undefined
    if (read) hearExpenses([read])
  })
  const stopRows = onHeard((expense) => {
    const key = expenseKeys.one(expense.id)
    const known = client.getQueryData<Expense>(key)
    if (known && known.version < expense.version) client.setQueryData(key, expense)
  })
  return () => {
    stopCache()
    stopRows()
  }
}
