import { z } from 'zod'
import { doors } from '#shared/domain/doors/doors'
import { instantText } from '../representations'
import { nothing } from '../requests'
import { route } from '../route'

/** A browser in which the caller is signed in (extension). */
export const browserSession = z
  .object({
    id: z.string(),
    created_at: instantText,
    expires_at: instantText,
    /** How it began; null for sessions from before this was stored. */
    door: z.enum(doors).nullable(),
    /** The browser's user agent at that time. */
    user_agent: z.string().nullable(),
    /** Whether it is the session of this request. */
    current: z.boolean(),
  })
  .meta({ id: 'BrowserSession' })
export type BrowserSession = z.infer<typeof browserSession>

const own = { action: 'doors.manage', query: nothing, body: nothing } as const

/** The endpoints of the caller's browser sessions (extension). */
export const browserSessionRoutes = {
  list: route({
    ...own,
    name: 'browser_sessions.list',
    method: 'GET',
    path: '/user/sessions',
    summary: "List the caller's browser sessions, newest first",
    params: nothing,
    response: z.object({ sessions: z.array(browserSession) }),
    status: 200,
  }),
  destroy: route({
    ...own,
    name: 'browser_sessions.destroy',
    method: 'DELETE',
    path: '/user/sessions/:id',
    summary: 'End a browser session; its open pages are signed out at once',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
    response: z.null(),
    status: 204,
  }),
  destroyOthers: route({
    ...own,
    name: 'browser_sessions.destroy_others',
    method: 'DELETE',
    path: '/user/sessions',
    summary: 'End all browser sessions of the caller but the one that asks',
    params: nothing,
    response: z.null(),
    status: 204,
  }),
}
