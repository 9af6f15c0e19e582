import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Session, instanceRoutes } from '#shared/contract/instance'
import { call } from './client'

/** The key of what is known of the signed-in user. */
export const sessionKey = ['session'] as const

/** Asks who is signed in, and where they belong; an error with status 401 when nobody is. */
export const sessionQuery = queryOptions<Session>({
  queryKey: sessionKey,
  queryFn: ({ signal }) => call(instanceRoutes.showSession, { signal }),
  retry: false,
})

/** Who is signed in, as {@link sessionQuery} says. */
export function useSession() {
  return useQuery(sessionQuery)
}
