import { useInfiniteQuery } from '@tanstack/react-query'
import { parentActivityRoutes } from '#shared/contract/activities'
import { call } from './client'
import { expenseKeys } from './expenses'

const pageSize = 50

/** What happened to an expense, newest first, page by page. */
export function useActivities(expense_id: number) {
  return useInfiniteQuery({
    queryKey: [...expenseKeys.one(expense_id), 'activities'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(parentActivityRoutes.expense.list, {
        params: { expense_id },
        query: { page, per_page: pageSize, emoji_in_unicode: true },
        signal,
      }),
    getNextPageParam: ({ current_page, total_pages }) => (current_page < total_pages ? current_page + 1 : undefined),
  })
}
