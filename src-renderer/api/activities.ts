import { useInfiniteQuery } from '@tanstack/react-query'
import { parentActivityRoutes } from '#shared/contract/activities'
import { call } from './client'
import { type Parent, parentKey, parentParams } from './parents'

const pageSize = 50

/** What happened to a record, newest first, page by page. */
export function useActivities(parent: Parent) {
  return useInfiniteQuery({
    queryKey: [...parentKey(parent), 'activities'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(parentActivityRoutes[parent.kind].list, {
        params: parentParams(parent),
        query: { page, per_page: pageSize, emoji_in_unicode: true },
        signal,
      }),
    getNextPageParam: ({ current_page, total_pages }) => (current_page < total_pages ? current_page + 1 : undefined),
  })
}
