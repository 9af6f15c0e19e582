import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Recovery, recoveryRoutes } from '#shared/contract/recoveries'
import { call } from './client'

const key = ['recoveries'] as const
/** What is missing is read beside the work: it is soon there. */
const lookAgainMs = 2000

/** What was damaged at a start and set aside, as long as nobody has said that they know; empty for whom it does not concern. */
export function useRecoveries(isSignedIn: boolean) {
  return useQuery<Recovery[]>({
    queryKey: key,
    queryFn: async ({ signal }) => (await call(recoveryRoutes.list, { signal })).recoveries,
    enabled: isSignedIn,
    retry: false,
    refetchInterval: ({ state: { data } }) => (data?.some(({ missing }) => missing === null) ? lookAgainMs : false),
  })
}

/** Says that one knows of it. */
export function useAcknowledgeRecovery() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(recoveryRoutes.acknowledge, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}
