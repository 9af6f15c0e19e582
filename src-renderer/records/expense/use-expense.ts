import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Expense, expenseRoutes } from '#shared/contract/expenses'
import { call } from '../../api/client'
import { expenseKeys } from '../../api/expenses'
import { findKnown, hearExpenses, readingBegins, useExpenseStore } from './expense-store'

function queryOf(id: number) {
  return {
    queryKey: expenseKeys.one(id),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Expense> => {
      const since = readingBegins()
      const expense = await call(expenseRoutes.show, { params: { id }, signal })
      hearExpenses([expense], since)
      return expense
    },
  }
}

/** One expense as this page last heard of it, such as in a list; it is read from the server, and again when it changes. `isRead`: it was read alone. */
export function useExpense(id: number | undefined): {
  readonly expense: Expense | undefined
  readonly error: Error | null
  readonly isRead: boolean
} {
  const { data, error, isPlaceholderData } = useQuery({
    ...queryOf(id ?? 0),
    enabled: id !== undefined,
    placeholderData: () => (id === undefined ? undefined : findKnown(id)),
  })
  const known = useExpenseStore(({ rows }) => (data ? rows.get(data.uid)?.known : undefined))
  return { expense: known ?? data, error, isRead: data !== undefined && !isPlaceholderData }
}

/** Reads an expense as the server has it now. */
export function readExpense(client: QueryClient, id: number): Promise<Expense> {
  return client.fetchQuery({ ...queryOf(id), staleTime: 0 })
}
