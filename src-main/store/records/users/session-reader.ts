import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = statement<{ session_hash: string; now: string }, { user_id: number } & Pick<Row<'users'>, 'locale' | 'language'>>((db, p) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('api_tokens', 'api_tokens.id', 'sessions.api_token_id')
    .select(['users.id as user_id', 'users.locale', 'users.language'])
    .where('sessions.session_hash', '=', p('session_hash'))
    .where('sessions.expires_at', '>', p('now'))
    .where('users.deleted_at', 'is', null)
    .where('api_tokens.revoked_at', 'is', null),
)

/** The user of a running browser session; one made with a token that has been revoked is over. `now` is an ISO instant. */
export function findSession(reader: Reader, key: { session_hash: string; now: string }) {
  return reader.first(findRow, key)
}
