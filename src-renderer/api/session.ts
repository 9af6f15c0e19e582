import { useQuery } from '@tanstack/react-query'
import { type Session, instanceRoutes } from '#shared/contract/instance'
import { call } from './client'

/** The key of what is known of the signed-in user. */
export const sessionKey = ['session'] as const

/** Who is signed in, and where they belong; an error with status 401 when nobody is. */
export function useSession() {
  return useQuery<Session>({
    queryKey: sessionKey,
    queryFn: ({ signal }) => call(instanceRoutes.showSession, { signal }),
    retry: false,
  })
}
