import { z } from 'zod'
import { nothing } from '../requests'
import { route } from '../route'
import { sessionRepresentation } from './instance'

const open = { action: 'session.create', method: 'POST', params: nothing, query: nothing, status: 201 } as const

/** Signing in at the operator's OpenID provider (extension). */
export const openIdRoutes = {
  begin: route({
    ...open,
    name: 'session.begin_openid',
    path: '/session/openid/begin',
    summary: 'Begin to sign in at the OpenID provider: the address to open, valid once for ten minutes, in this browser',
    body: z.object({
      /** Whether the provider should ask who signs in even if it knows: the earlier account was rejected. */
      asks_again: z.boolean('invalid').default(false),
    }),
    response: z.object({ address: z.url() }),
  }),
  signIn: route({
    ...open,
    name: 'session.create_by_openid',
    path: '/session/openid',
    summary: 'Turn the answer of the OpenID provider, the query with which it sent the browser back, into a browser session',
    body: z.object({ answer: z.string('invalid').min(1, 'blank').max(8000, 'invalid') }),
    response: sessionRepresentation,
  }),
}
