import type { Row } from '#db/schema'
import { type BrowserSession, browserSessionRoutes } from '#shared/contract/instance/sessions'
import { toInstant } from '#shared/domain/dates'
import { listSessions, sessionIdOf } from '#main/store/records/users/sessions'
import { endOtherSessions, endOwnSession } from '#main/use-cases/sessions/sessions'
import { type Endpoint, mutation, query } from '../endpoint'

function toRepresentation(row: Row<'sessions'>, current: string | null): BrowserSession {
  const { session_hash, created_at, expires_at, door, user_agent } = row
  return { id: sessionIdOf(session_hash), created_at, expires_at, door, user_agent, current: session_hash === current }
}

/** The caller's browser sessions. */
export const browserSessionEndpoints: Endpoint[] = [
  query(browserSessionRoutes.list, async ({ reader, deps, caller }) => {
    const rows = await listSessions(reader, { user_id: caller.user_id, now: toInstant(deps.clock.now()) })
    return { body: { sessions: rows.map((row) => toRepresentation(row, caller.session_hash)) } }
  }),
  mutation(browserSessionRoutes.destroy, async ({ tx }, { params }) => {
    await endOwnSession(tx, params.id)
    return { body: null }
  }),
  mutation(browserSessionRoutes.destroyOthers, async ({ tx, caller }) => {
    await endOtherSessions(tx, caller.session_hash)
    return { body: null }
  }),
]
