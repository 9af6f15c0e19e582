import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { recordActivity } from '../conversations/activity-writer'

const sessionIdLength = 24

interface RunningSession extends Pick<Row<'users'>, 'locale' | 'language'> {
  readonly user_id: number
  readonly expires_at: string
  /** The scopes of the API token that began it. */
  readonly scopes: string | null
  readonly token_expires_at: string | null
}

const findRow = statement<{ session_hash: string; now: string }, RunningSession>((db, p) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('api_tokens', 'api_tokens.id', 'sessions.api_token_id')
    .select(['users.id as user_id', 'users.locale', 'users.language', 'sessions.expires_at'])
    .select(['api_tokens.scopes', 'api_tokens.expires_at as token_expires_at'])
    .where('sessions.session_hash', '=', p('session_hash'))
    .where('sessions.expires_at', '>', p('now'))
    .where('users.deleted_at', 'is', null)
    .where('api_tokens.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('api_tokens.expires_at', 'is', null), eb('api_tokens.expires_at', '>', p('now'))])),
)

const listRows = statement<{ user_id: number; now: string }, Row<'sessions'>>((db, p) =>
  db
    .selectFrom('sessions')
    .leftJoin('api_tokens', 'api_tokens.id', 'sessions.api_token_id')
    .selectAll('sessions')
    .where('sessions.user_id', '=', p('user_id'))
    .where('sessions.expires_at', '>', p('now'))
    .where('api_tokens.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('api_tokens.expires_at', 'is', null), eb('api_tokens.expires_at', '>', p('now'))]))
    .orderBy('sessions.created_at', 'desc')
    .orderBy('sessions.session_hash'),
)

const findNamed = statement<{ user_id: number; id: string }, { user_id: number }>((db, p) =>
  db
    .selectFrom('sessions')
    .select('user_id')
    .where('user_id', '=', p('user_id'))
    .where((eb) => eb.fn('substr', ['session_hash', eb.lit(1), eb.lit(sessionIdLength)]), '=', p('id')),
)

/** The id by which a user knows a session: a part of its hash, from which nobody can derive the secret. */
export function sessionIdOf(session_hash: string): string {
  return session_hash.slice(0, sessionIdLength)
}

/** Whether a user has a browser session with this {@link sessionIdOf id}, including ended ones. */
export async function hasSession(reader: Reader, key: { user_id: number; id: string }): Promise<boolean> {
  return (await reader.first(findNamed, key)) !== undefined
}

/** The running browser sessions of a user, newest first. `now` is an ISO instant. */
export function listSessions(reader: Reader, key: { user_id: number; now: string }): Promise<Row<'sessions'>[]> {
  return reader.all(listRows, key)
}

/** The user of a running browser session; undefined if its token was revoked or expired. `now` is an ISO instant. */
export function findSession(reader: Reader, key: { session_hash: string; now: string }) {
  return reader.first(findRow, key)
}

const insertRow = statement<Row<'sessions'>, unknown>((db, p) =>
  db
    .insertInto('sessions')
    .values({
      session_hash: p('session_hash'),
      user_id: p('user_id'),
      api_token_id: p('api_token_id'),
      created_at: p('created_at'),
      expires_at: p('expires_at'),
      door: p('door'),
      user_agent: p('user_agent'),
    }),
)
const deleteRow = statement<{ session_hash: string }, unknown>((db, p) =>
  db.deleteFrom('sessions').where('session_hash', '=', p('session_hash')),
)
const deleteEnded = statement<{ now: string }, unknown>((db, p) => db.deleteFrom('sessions').where('expires_at', '<', p('now')))

/** Stores a new session, and deletes expired ones. */
export async function insertSession(tx: Tx, row: Row<'sessions'>): Promise<void> {
  await tx.run(deleteEnded, { now: tx.now })
  await tx.run(insertRow, row)
}

export async function deleteSession(tx: Tx, session_hash: string): Promise<void> {
  await tx.run(deleteRow, { session_hash })
}

/** Records that a user ended one of their sessions from elsewhere, and its browser if known. */
export async function noteSessionEnd(tx: Tx, { user_id, user_agent }: Row<'sessions'>): Promise<void> {
  tx.signal({ topic: 'browser_sessions', user_id })
  const details = [{ attribute: 'description', from: user_agent, to: null }] as const
  await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: user_id }, event: 'browser_session_ended', details })
}
