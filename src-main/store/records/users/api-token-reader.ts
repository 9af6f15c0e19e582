import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findByHash = statement<{ token_hash: string }, Row<'api_tokens'>>((db, p) =>
  db.selectFrom('api_tokens').selectAll().where('token_hash', '=', p('token_hash')).where('revoked_at', 'is', null),
)
const findById = statement<{ id: number; user_id: number }, Row<'api_tokens'>>((db, p) =>
  db.selectFrom('api_tokens').selectAll().where('id', '=', p('id')).where('user_id', '=', p('user_id')).where('revoked_at', 'is', null),
)
const listRows = statement<{ user_id: number }, Row<'api_tokens'>>((db, p) =>
  db.selectFrom('api_tokens').selectAll().where('user_id', '=', p('user_id')).where('revoked_at', 'is', null).orderBy('id', 'desc'),
)

/** A valid API token by its hash. */
export function findApiToken(reader: Reader, token_hash: string) {
  return reader.first(findByHash, { token_hash })
}

/** A valid API token of a user by its id. */
export function findOwnApiToken(reader: Reader, key: { id: number; user_id: number }) {
  return reader.first(findById, key)
}

/** The valid API tokens of a user, newest first. */
export function listApiTokens(reader: Reader, user_id: number): Promise<Row<'api_tokens'>[]> {
  return reader.all(listRows, { user_id })
}
