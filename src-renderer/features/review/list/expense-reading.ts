import { hashKey, type QueryClient } from '@tanstack/react-query'
import { readExpensePage, type ExpenseFilter, type ExpensePage } from '#renderer/api/expenses'
import { hearExpenses, readingBegins } from '#renderer/records/expense/expense-store'

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

const aheadKey = ['review', 'ahead'] as const

/** Reads a page for the screen that is about to be drawn, which does not read it again. */
export async function readPageAhead(client: QueryClient, query: RowQuery & { page: number }): Promise<void> {
  await cachedReader(client).read(query)
  client.setQueryData(aheadKey, hashKey([...pageKeyOf(query), query.page, 0]))
}

function takeAhead(client: QueryClient, queryKey: readonly unknown[]): boolean {
  const isAhead = client.getQueryData(aheadKey) === hashKey(queryKey)
  if (isAhead) client.removeQueries({ queryKey: aheadKey })
  return isAhead
}

/** Reads pages through the query cache, which keeps the order of the last ones for coming back. */
export function cachedReader(client: QueryClient): {
  read: ReadPage
  remembered: (query: RowQuery & { page: number }) => RowPage | undefined
} {
  return {
    read: ({ turn = 0, ...query }) => {
      const queryKey = [...pageKeyOf(query), query.page, turn]
      return client.fetchQuery({
        queryKey,
        queryFn: ({ signal }) => readRows(query, signal),
        staleTime: takeAhead(client, queryKey) ? Infinity : 0,
      })
    },
    remembered: (query) => client.getQueryData<RowPage>([...pageKeyOf(query), query.page, 0]),
  }
}
