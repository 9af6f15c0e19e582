import type { Session } from '#shared/contract/instance/instance'
import type { Role } from '#shared/domain/roles'
import { useSession } from '../api/session'
import { usePreferences } from './preferences'

/** The organization that the screens show, and the user's role in it; undefined before it is known. */
export function useMembership(): Session['memberships'][number] | undefined {
  const { data } = useSession()
  const organizationId = usePreferences((state) => state.organizationId)
  return data?.memberships.find(({ organization }) => organization.id === organizationId)
}

/** The user's role in the organization that the screens show: what the table of permissions asks for. */
export function useRole(): Role | undefined {
  return useMembership()?.role
}
