import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { commentRoutes } from '#shared/contract/comments'
import { mentionableRoutes, type Mentionable } from '#shared/contract/mentionables'
import { participantRoutes } from '#shared/contract/participants'
import { call } from './client'
import { ownWritesShown } from './own-writes'
import { type Followable, followableKey, followableParams } from './followables'

const pageSize = 100

/** The comments of a record, newest first, page by page; emoji as unicode. */
export function useComments(followable: Followable) {
  return useInfiniteQuery({
    queryKey: [...followableKey(followable), 'comments'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(commentRoutes[followable.kind].list, {
        params: followableParams(followable),
        query: { sort: '-created_at', page, per_page: pageSize, emoji_in_unicode: true },
        signal,
      }),
    getNextPageParam: ({ current_page, total_pages }) => (current_page < total_pages ? current_page + 1 : undefined),
  })
}

/** Who can be mentioned in the comments of a record (contract 4.9); read when it is first needed. */
export function useMentionables(followable: Followable, enabled: boolean) {
  return useQuery({
    queryKey: [...followableKey(followable), 'mentionables'],
    queryFn: async ({ signal }): Promise<readonly Mentionable[]> =>
      (await call(mentionableRoutes[followable.kind].list, { params: followableParams(followable), signal })).mentionables,
    enabled,
  })
}

/** What can be written of the comments of a record. */
export type CommentWrite =
  | { readonly kind: 'add'; readonly content: string }
  | { readonly kind: 'change'; readonly id: number; readonly content: string }
  | { readonly kind: 'delete'; readonly id: number }

/** Writes, changes and deletes comments (contract 4.8). */
export function useWriteComment(followable: Followable) {
  const routes = commentRoutes[followable.kind]
  const params = followableParams(followable)
  return useMutation({
    mutationFn: async (write: CommentWrite): Promise<void> => {
      switch (write.kind) {
        case 'add':
          await call(routes.create, { params, body: { content: write.content } })
          return
        case 'change':
          await call(routes.update, { params: { ...params, id: write.id }, body: { content: write.content } })
          return
        case 'delete':
          await call(routes.destroy, { params: { ...params, id: write.id } })
      }
    },
    onSettled: ownWritesShown,
  })
}

/** Who takes part in a record and hears of what happens to it (contract 4.12). */
export function useParticipants(followable: Followable) {
  return useQuery({
    queryKey: [...followableKey(followable), 'participants'],
    queryFn: async ({ signal }) =>
      (await call(participantRoutes[followable.kind].list, { params: followableParams(followable), signal })).participants,
  })
}

/** Removes the caller from the participants. */
export function useLeaveParticipants(followable: Followable) {
  return useMutation({
    mutationFn: () => call(participantRoutes[followable.kind].leave, { params: followableParams(followable) }),
    onSettled: ownWritesShown,
  })
}
