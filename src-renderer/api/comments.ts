import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { commentRoutes } from '#shared/contract/comments'
import { mentionableRoutes, type Mentionable } from '#shared/contract/mentionables'
import { participantRoutes } from '#shared/contract/participants'
import { call } from './client'
import { expenseKeys } from './expenses'

const pageSize = 100

/** The comments of an expense, newest first, page by page; emoji as unicode. */
export function useComments(expense_id: number) {
  return useInfiniteQuery({
    queryKey: [...expenseKeys.one(expense_id), 'comments'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(commentRoutes.expense.list, {
        params: { expense_id },
        query: { page, per_page: pageSize, emoji_in_unicode: true },
        signal,
      }),
    getNextPageParam: ({ current_page, total_pages }) => (current_page < total_pages ? current_page + 1 : undefined),
  })
}

/** Who can be mentioned in the comments of an expense (contract 4.9); read when it is first needed. */
export function useMentionables(expense_id: number, enabled: boolean) {
  return useQuery({
    queryKey: [...expenseKeys.one(expense_id), 'mentionables'],
    queryFn: async ({ signal }): Promise<readonly Mentionable[]> =>
      (await call(mentionableRoutes.expense.list, { params: { expense_id }, signal })).mentionables,
    enabled,
  })
}

/** What can be written of the comments of an expense. */
export type CommentWrite =
  | { readonly kind: 'add'; readonly content: string }
  | { readonly kind: 'change'; readonly id: number; readonly content: string }
  | { readonly kind: 'delete'; readonly id: number }

/** Writes, changes and deletes comments (contract 4.8). */
export function useWriteComment(expense_id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (write: CommentWrite): Promise<void> => {
      switch (write.kind) {
        case 'add':
          await call(commentRoutes.expense.create, { params: { expense_id }, body: { content: write.content } })
          return
        case 'change':
          await call(commentRoutes.expense.update, { params: { expense_id, id: write.id }, body: { content: write.content } })
          return
        case 'delete':
          await call(commentRoutes.expense.destroy, { params: { expense_id, id: write.id } })
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: expenseKeys.all }),
  })
}

/** Who takes part in an expense and hears of what happens to it (contract 4.12). */
export function useParticipants(expense_id: number) {
  return useQuery({
    queryKey: [...expenseKeys.one(expense_id), 'participants'],
    queryFn: async ({ signal }) => (await call(participantRoutes.expense.list, { params: { expense_id }, signal })).participants,
  })
}

/** Removes the caller from the participants. */
export function useLeaveExpense(expense_id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(participantRoutes.expense.leave, { params: { expense_id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: expenseKeys.all }),
  })
}
