import { z } from 'zod'
import { instantText } from '../representations'
import { nothing } from '../requests'
import { route } from '../route'
import { sessionRepresentation } from './instance'

const own = { action: 'doors.manage', path: '/user/recovery_codes', params: nothing, query: nothing, body: nothing } as const

/** Recovery codes: the caller's, and signing in with one (extension). */
export const recoveryCodeRoutes = {
  show: route({
    ...own,
    name: 'recovery_codes.show',
    method: 'GET',
    summary: 'Say how many of the recovery codes of the caller are left',
    response: z.object({
      /** Whether this server accepts them: a replica does not. */
      offered: z.boolean(),
      left: z.int(),
      created_at: instantText.nullable(),
    }),
    status: 200,
  }),
  create: route({
    ...own,
    name: 'recovery_codes.create',
    method: 'POST',
    summary: 'Make ten recovery codes, shown in this response only; those from before end',
    response: z.object({ codes: z.array(z.string()).nullable().meta({ description: 'Null in a replayed response' }) }),
    secret_fields: ['codes'],
    status: 201,
  }),
  signIn: route({
    name: 'session.create_by_recovery_code',
    action: 'session.create',
    method: 'POST',
    path: '/session/recovery_code',
    summary: 'Turn a recovery code into a browser session; the code is used up',
    params: nothing,
    query: nothing,
    body: z.object({ code: z.string('invalid').trim().min(1, 'blank').max(100, 'invalid') }),
    response: sessionRepresentation,
    status: 201,
  }),
}
