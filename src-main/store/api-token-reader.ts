import type { Row } from '#db/schema'
import { statement } from './statement'
import type { Reader } from './store'

const findByHash = statement<{ token_hash: string }, Row<'api_tokens'>>((db, p) =>
  db.selectFrom('api_tokens').selectAll().where('token_hash', '=', p('token_hash')).where('revoked_at', 'is', null),
)

/** A valid API token by its hash. */
export function findApiToken(reader: Reader, token_hash: string) {
  return reader.first(findByHash, { token_hash })
}
