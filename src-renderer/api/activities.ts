import { useInfiniteQuery } from '@tanstack/react-query'
import { followableActivityRoutes } from '#shared/contract/activities'
import { call } from './client'
import { type Followable, followableKey, followableParams } from './followables'

const pageSize = 50

/** What happened to a record, newest first, page by page. */
export function useActivities(followable: Followable) {
  return useInfiniteQuery({
    queryKey: [...followableKey(followable), 'activities'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(followableActivityRoutes[followable.kind].list, {
        params: followableParams(followable),
        query: { page, per_page: pageSize, emoji_in_unicode: true },
        signal,
      }),
    getNextPageParam: ({ current_page, total_pages }) => (current_page < total_pages ? current_page + 1 : undefined),
  })
}
