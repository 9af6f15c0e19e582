import { useMutation, useQuery } from '@tanstack/react-query'
import { type Damage, type Recovery, recoveryRoutes } from '#shared/contract/instance/recoveries'
import { call } from './client'
import { ownWritesShown } from './own-writes'
import { keyRoots } from './keys'

interface Recoveries {
  readonly recoveries: readonly Recovery[]
  readonly damage: Damage | null
}

/**
 * Quarantined damage of a start, and the findings of the last check of all rows, until someone acknowledges them; empty for people who
 * may not see them.
 */
export function useRecoveries(isSignedIn: boolean) {
  return useQuery<Recoveries>({
    queryKey: keyRoots.recoveries,
    queryFn: ({ signal }) => call(recoveryRoutes.list, { signal }),
    enabled: isSignedIn,
    retry: false,
  })
}

/** Says that one knows of it. */
export function useAcknowledgeRecovery() {
  return useMutation({ mutationFn: (id: string) => call(recoveryRoutes.acknowledge, { params: { id } }), onSettled: ownWritesShown })
}
