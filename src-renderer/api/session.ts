import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { type Session, instanceRoutes, sessionRepresentation } from '#shared/contract/instance/instance'
import { ApiError, call } from './client'
import { desktop } from './desktop'
import { resetPage } from './page/page-state'
import { keyRoots } from './keys'

/** Who is signed in. `is_remembered`: the server did not respond, and this is who was signed in on this device when it last did. */
export type KnownSession = Session & { readonly is_remembered?: boolean }

/** One that an earlier version of the page stored has no place; from one that no log has, a page reads everything again. */
const storedSession = sessionRepresentation.extend({ feed_place: z.string().default('unknown') })
const storageKey = 'outlay.session'
/** How often the server is asked again who is signed in while that is only remembered, in milliseconds. */
const askAgainMs = 5000

/** Asks who is signed in, and where they belong; an error with status 401 when nobody is. */
export const sessionQuery = queryOptions<KnownSession>({
  queryKey: keyRoots.session,
  queryFn: async ({ signal, client }) => {
    const known = client.getQueryData<KnownSession>(keyRoots.session)
    try {
      const session = await call(instanceRoutes.showSession, { signal })
      if (known && known.user.uid !== session.user.uid) forgetPerson(client)
      return session
    } catch (error) {
      const isUnanswered = error instanceof ApiError && (error.status === 0 || error.status >= 500)
      const remembered = isUnanswered && (known === undefined || known.is_remembered) ? recallSession() : undefined
      if (remembered) return remembered
      throw error
    }
  },
  retry: false,
  refetchInterval: ({ state }) => (state.data?.is_remembered && state.status === 'success' ? askAgainMs : false),
})

/** Forgets what the page knows of someone: another person signed in, in another tab. */
function forgetPerson(client: QueryClient): void {
  resetPage()
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keyRoots.session[0] })
}

/** Who is signed in, as {@link sessionQuery} says. */
export function useSession() {
  return useQuery(sessionQuery)
}

/** Remembers who is signed in, so that this device lets them capture without a network. The desktop's server is always there. */
export function rememberSession({ is_remembered, ...session }: KnownSession): void {
  if (!desktop && !is_remembered) localStorage.setItem(storageKey, JSON.stringify(session))
}

/** Forgets who was signed in: they signed out. */
export function forgetSession(): void {
  localStorage.removeItem(storageKey)
}

function recallSession(): KnownSession | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    const session = storedSession.safeParse(stored).data
    return session && { ...session, is_remembered: true }
  } catch {
    return undefined
  }
}
