import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { commentRoutes } from '#shared/contract/comments'
import { mentionableRoutes, type Mentionable } from '#shared/contract/mentionables'
import { participantRoutes } from '#shared/contract/participants'
import { call } from './client'
import { ownWritesShown } from './own-writes'
import { type Parent, parentKey, parentParams } from './parents'

const pageSize = 100

/** The comments of a record, newest first, page by page; emoji as unicode. */
export function useComments(parent: Parent) {
  return useInfiniteQuery({
    queryKey: [...parentKey(parent), 'comments'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(commentRoutes[parent.kind].list, {
        params: parentParams(parent),
        query: { sort: '-created_at', page, per_page: pageSize, emoji_in_unicode: true },
        signal,
      }),
    getNextPageParam: ({ current_page, total_pages }) => (current_page < total_pages ? current_page + 1 : undefined),
  })
}

/** Who can be mentioned in the comments of a record (contract 4.9); read when it is first needed. */
export function useMentionables(parent: Parent, enabled: boolean) {
  return useQuery({
    queryKey: [...parentKey(parent), 'mentionables'],
    queryFn: async ({ signal }): Promise<readonly Mentionable[]> =>
      (await call(mentionableRoutes[parent.kind].list, { params: parentParams(parent), signal })).mentionables,
    enabled,
  })
}

/** What can be written of the comments of a record. */
export type CommentWrite =
  | { readonly kind: 'add'; readonly content: string }
  | { readonly kind: 'change'; readonly id: number; readonly content: string }
  | { readonly kind: 'delete'; readonly id: number }

/** Writes, changes and deletes comments (contract 4.8). */
export function useWriteComment(parent: Parent) {
  const routes = commentRoutes[parent.kind]
  const params = parentParams(parent)
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
export function useParticipants(parent: Parent) {
  return useQuery({
    queryKey: [...parentKey(parent), 'participants'],
    queryFn: async ({ signal }) =>
      (await call(participantRoutes[parent.kind].list, { params: parentParams(parent), signal })).participants,
  })
}

/** Removes the caller from the participants. */
export function useLeaveParticipants(parent: Parent) {
  return useMutation({
    mutationFn: () => call(participantRoutes[parent.kind].leave, { params: parentParams(parent) }),
    onSettled: ownWritesShown,
  })
}
