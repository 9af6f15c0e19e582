import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { findReplicaValue } from '../../sync/replica-state'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findById = statement<{ id: number }, Row<'users'>>(
  (db, p) => db.selectFrom('users').selectAll().where('id', '=', p('id')).where('deleted_at', 'is', null),
  { isKept: true },
)
const listAny = listStatement<number, Row<'users'>>((db, ids) => db.selectFrom('users').selectAll().where('id', 'in', ids), {
  keptBy: 'id',
})
const listEmailsOf = listStatement<number, Row<'user_emails'>>(
  (db, ids) => db.selectFrom('user_emails').selectAll().where('user_id', 'in', ids).orderBy('main', 'desc').orderBy('id'),
  { keptBy: 'user_id' },
)
/** The user of an API token, the token's scopes, and its end. */
type TokenUser = Row<'users'> & { readonly scopes: string | null; readonly token_expires_at: string | null }

const findByToken = statement<{ token_hash: string }, TokenUser>(
  (db, p) =>
    db
      .selectFrom('users')
      .innerJoin('api_tokens', 'api_tokens.user_id', 'users.id')
      .selectAll('users')
      .select(['api_tokens.scopes', 'api_tokens.expires_at as token_expires_at'])
      .where('api_tokens.token_hash', '=', p('token_hash'))
      .where('api_tokens.revoked_at', 'is', null)
      .where('users.deleted_at', 'is', null),
  { isKept: true },
)
const findByEmail = statement<{ email: string }, Row<'users'>>((db, p) =>
  db
    .selectFrom('users')
    .innerJoin('user_emails', 'user_emails.user_id', 'users.id')
    .selectAll('users')
    .where('user_emails.email', '=', p('email'))
    .where('users.deleted_at', 'is', null),
)
const findByMentionName = statement<{ mention_name: string }, Row<'users'>>((db, p) =>
  db.selectFrom('users').selectAll().where('mention_name', '=', p('mention_name')),
)
const countAll = statement<Record<string, never>, { count: number }>((db) =>
  db
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('count'))
    .where('deleted_at', 'is', null),
)
const findFirst = statement<Record<string, never>, Row<'users'>>((db) =>
  db.selectFrom('users').selectAll().where('deleted_at', 'is', null).orderBy('id').limit(1),
)

/** The number of users of an instance. */
export async function countUsers(reader: Reader): Promise<number> {
  return (await reader.first(countAll, {}))?.count ?? 0
}

/** A user by id. */
export function findUser(reader: Reader, id: number) {
  return reader.first(findById, { id })
}
/** The user whose API token has this hash; undefined for a revoked token. The caller checks whether it has expired. */
export function findTokenUser(reader: Reader, key: { token_hash: string }) {
  return reader.first(findByToken, key)
}
/** The user with an e-mail address. */
export function findUserByEmail(reader: Reader, email: string) {
  return reader.first(findByEmail, { email })
}
/** The user who has or had this mention name, ignoring case: it is never given to another user. */
export function findUserByMentionName(reader: Reader, mention_name: string) {
  return reader.first(findByMentionName, { mention_name })
}
/** The user of a desktop's window: the user of the replica, or the first user of the folder. */
export async function findLocalUser(reader: Reader) {
  const remote = await findReplicaValue(reader, 'remote')
  return remote ? findUser(reader, remote.user_id) : reader.first(findFirst, {})
}

/** Users by id, including deleted ones: history shows their names. */
export function listUsersByIds(reader: Reader, ids: readonly number[]): Promise<Row<'users'>[]> {
  return reader.allOf(listAny, ids)
}

/** The e-mail addresses of users, main ones first. */
export function listEmails(reader: Reader, user_ids: readonly number[]): Promise<Row<'user_emails'>[]> {
  return reader.allOf(listEmailsOf, user_ids)
}
