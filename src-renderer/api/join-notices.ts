import { useMutation, useQuery } from '@tanstack/react-query'
import { type JoinNotice, joinNoticeRoutes } from '#shared/contract/join-notices'
import { call } from './client'
import { ownWritesShown } from './own-writes'
import { keyRoots } from './keys'

/** The organizations that someone added the user to, until they have read it. */
export function useJoinNotices(isSignedIn: boolean) {
  return useQuery<JoinNotice[]>({
    queryKey: keyRoots.joinNotices,
    queryFn: async ({ signal }) => (await call(joinNoticeRoutes.list, { signal })).join_notices,
    enabled: isSignedIn,
    retry: false,
  })
}

/** Confirms that the user has read a notice. */
export function useReadJoinNotice() {
  return useMutation({ mutationFn: (id: number) => call(joinNoticeRoutes.destroy, { params: { id } }), onSettled: ownWritesShown })
}
