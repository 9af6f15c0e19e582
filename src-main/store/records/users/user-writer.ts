import type { Row } from '#db/schema'
import type { Language } from '#shared/domain/locales'
import { newColumns } from '#shared/records/columns'
import { user as definition } from '#shared/records/user'
import { languageOf, toStoredLanguage } from './user-language'
import { recordActivity } from '../conversations/activity-writer'
import { writtenDetails } from '../conversations/activity-details'
import { type Changes, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

const insertEmailRow = statement<Omit<Row<'user_emails'>, 'id' | 'bounced_at'>, unknown>((db, p) =>
  db.insertInto('user_emails').values({ user_id: p('user_id'), email: p('email'), main: p('main'), created_at: p('created_at') }),
)
const findMention = statement<{ mention_name: string }, { id: number }>((db, p) =>
  db.selectFrom('users').select('id').where('mention_name', '=', p('mention_name')),
)
/** A new API token. Without scopes it may do everything its user may; without an end it is valid until revoked. */
export interface NewApiToken {
  readonly user_id: number
  readonly token_hash: string
  readonly description: string
  readonly scopes?: string | null
  readonly expires_at?: string | null
}

const insertToken = statement<Omit<Row<'api_tokens'>, 'id' | 'last_used_at' | 'revoked_at'>, { id: number }>((db, p) =>
  db
    .insertInto('api_tokens')
    .values({
      uid: p('uid'),
      user_id: p('user_id'),
      token_hash: p('token_hash'),
      description: p('description'),
      created_at: p('created_at'),
      scopes: p('scopes'),
      expires_at: p('expires_at'),
    })
    .returning('id'),
)
const revokeToken = statement<{ id: number; revoked_at: string }, unknown>((db, p) =>
  db
    .updateTable('api_tokens')
    .where('id', '=', p('id'))
    .set({ revoked_at: p('revoked_at') }),
)

const setTokenUse = statement<{ token_hash: string; last_used_at: string }, unknown>((db, p) =>
  db
    .updateTable('api_tokens')
    .where('token_hash', '=', p('token_hash'))
    .set({ last_used_at: p('last_used_at') }),
)

/** A new user. If nobody else exists, the user is the actor. */
export interface NewUser {
  readonly name: string
  readonly email: string | null
  readonly default_currency: string
  readonly locale: Language
  readonly timezone: string
}

/** Splits a whole name at its first space into the contract's two parts. */
function partsOf(name: string): { first_name: string; last_name: string } {
  const [first_name = '', ...rest] = name.trim().split(/\s+/)
  return { first_name, last_name: rest.join(' ') }
}

/** A unique mention name: letters and digits of the whole name, then a number if needed. */
async function freeMentionName(tx: Tx, name: string): Promise<string> {
  const base =
    name
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '')
      .slice(0, 40) || 'user'
  for (let number = 1; ; number += 1) {
    const mention_name = number === 1 ? base : `${base}${number}`
    if (!(await tx.first(findMention, { mention_name }))) return mention_name
  }
}

/** Stores a new user, with the e-mail address if given. */
export async function insertUser(tx: Tx, { name, email, locale, timezone, default_currency }: NewUser): Promise<Row<'users'>> {
  const mention_name = await freeMentionName(tx, name)
  const stored = toStoredLanguage(locale)
  const initial = newColumns(definition.attributes, { locale: stored.locale, language: locale, timezone, mention_name })
  const values = { ...partsOf(name), ...initial, ...stored, default_currency }
  const user = await insertRecord(tx, 'users', { values, scope: { organization_id: null } })
  if (email !== null) await tx.run(insertEmailRow, { user_id: user.id, email, main: 1, created_at: tx.now })
  return user
}

/** Stores an API token by its hash; returns its id. */
export async function insertApiToken(tx: Tx, { scopes = null, expires_at = null, ...token }: NewApiToken): Promise<number> {
  const row = await tx.first(insertToken, { ...token, scopes, expires_at, uid: tx.clock.uid(), created_at: tx.now })
  if (!row) throw new Error('The token was not stored.')
  tx.signal({ topic: 'api_tokens', user_id: token.user_id })
  const details = [{ attribute: 'description', from: null, to: token.description }] as const
  await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: token.user_id }, event: 'api_token_created', details })
  return row.id
}

/** Stores when an API token was last used (`last_used_at`, an ISO instant). */
export async function noteTokenUse(tx: Tx, use: { token_hash: string; last_used_at: string }): Promise<void> {
  await tx.run(setTokenUse, use)
}

/** Changes a user's preferences; writes nothing if nothing differs. */
export async function updateUser(tx: Tx, row: Row<'users'>, changes: Changes<'users'>): Promise<Row<'users'>> {
  const stored = await updateRecord(tx, 'users', { row, changes, scope: { organization_id: null, user_id: row.id } })
  const spoken = (user: Row<'users'>) => ({ ...user, locale: languageOf(user) })
  const details = writtenDetails(definition.attributes, spoken(row), spoken(stored))
  if (details.length > 0)
    await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: row.id }, event: 'preferences_updated', details })
  return stored
}

/** Revokes an API token and ends the sessions that it began. */
export async function revokeApiToken(tx: Tx, { id, user_id, description }: Row<'api_tokens'>): Promise<void> {
  await tx.run(revokeToken, { id, revoked_at: tx.now })
  tx.signal({ topic: 'api_tokens', user_id })
  const details = [{ attribute: 'description', from: description, to: null }] as const
  await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: user_id }, event: 'api_token_revoked', details })
}
