import { z } from 'zod'
import { languages } from '#shared/domain/locales'
import { nothing } from '../requests'
import { route } from '../route'
import { sessionRepresentation } from './instance'

const open = { action: 'session.create', method: 'POST', params: nothing, query: nothing } as const
const secret = z.string('invalid').trim().min(1, 'blank').max(200, 'invalid')

/** Signing in by e-mail, if the operator has set up mail (extension). */
export const emailSignInRoutes = {
  ask: route({
    ...open,
    name: 'session.ask_by_email',
    path: '/session/email',
    summary: 'Send a code and a link that sign in once; the response is the same whether someone has the address or not',
    body: z.object({ email: z.email('invalid').max(255, 'too_long:255'), locale: z.enum(languages, 'inclusion').optional() }),
    response: z.null(),
    status: 204,
  }),
  redeem: route({
    ...open,
    name: 'session.create_by_email',
    path: '/session/email/code',
    summary: 'Turn a code with its address, or the secret of a link, into a browser session',
    body: z.object({ email: z.email('invalid').max(255, 'too_long:255').optional(), code: secret.optional(), link: secret.optional() }),
    response: sessionRepresentation,
    status: 201,
  }),
}
