import { useQuery } from '@tanstack/react-query'
import { membershipRoutes } from '#shared/contract/memberships'
import { call } from './client'
import { pageSize as per_page, readWhole } from './pages'
import { keyRoots } from './keys'

/** The organization's members by name; none while they are not known. */
export function useMembers(organizationId: number | null): ReadonlyArray<{ id: number; name: string }> {
  const organization_id = organizationId ?? 0
  const { data } = useQuery({
    queryKey: [...keyRoots.organizations, organization_id, 'member-names'],
    queryFn: ({ signal }) =>
      readWhole(async (page) => {
        const { memberships, count } = await call(membershipRoutes.list, { params: { organization_id }, query: { page, per_page }, signal })
        return { rows: memberships.map(({ user }) => ({ id: user.id, name: `${user.first_name} ${user.last_name}`.trim() })), count }
      }),
    enabled: organizationId !== null,
    retry: false,
  })
  return (data ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
}
