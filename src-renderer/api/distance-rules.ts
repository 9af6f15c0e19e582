import { useQuery } from '@tanstack/react-query'
import { distanceRuleRoutes } from '#shared/contract/distance-rules'
import { call } from './client'
import { keyRoots } from './keys'

/** What an organization pays for distances, on every day: its rules, that of the last day first. */
export function useDistanceRules(organization_id: number | null) {
  return useQuery({
    queryKey: [...keyRoots.distanceRules, organization_id],
    enabled: organization_id !== null,
    queryFn: ({ signal }) =>
      call(distanceRuleRoutes.list, { params: { organization_id: organization_id ?? 0 }, query: { all: true }, signal }),
  })
}
