import type { Row } from '#db/schema'
import { statement } from './statement'
import type { Reader } from './store'

/** An API token as an operator sees it: with its owner, without its secret. */
export interface TokenEntry {
  readonly token_id: number
  readonly user_id: number
  readonly email: string | null
  readonly description: string
  readonly created_at: string
  readonly last_used_at: string | null
  /** Separated by spaces; null: everything that its user may do. */
  readonly scopes: string | null
  readonly expires_at: string | null
}

const listOrganizationRows = statement<Record<string, never>, Row<'organizations'>>((db) =>
  db.selectFrom('organizations').selectAll().where('deleted_at', 'is', null).orderBy('id'),
)
const listTokenEntries = statement<Record<string, never>, TokenEntry>((db) =>
  db
    .selectFrom('api_tokens')
    .leftJoin('user_emails', (join) => join.onRef('user_emails.user_id', '=', 'api_tokens.user_id').on('user_emails.main', '=', 1))
    .select(['api_tokens.id as token_id', 'api_tokens.user_id', 'user_emails.email', 'api_tokens.description'])
    .select(['api_tokens.created_at', 'api_tokens.last_used_at', 'api_tokens.scopes', 'api_tokens.expires_at'])
    .where('api_tokens.revoked_at', 'is', null)
    .orderBy('api_tokens.id'),
)
const findTokenRow = statement<{ id: number }, Row<'api_tokens'>>((db, p) =>
  db.selectFrom('api_tokens').selectAll().where('id', '=', p('id')).where('revoked_at', 'is', null),
)
const listBlobRows = statement<Record<string, never>, Row<'blobs'>>((db) => db.selectFrom('blobs').selectAll().orderBy('sha256'))

/** Lists every file of an instance. */
export function listAllBlobs(reader: Reader): Promise<Row<'blobs'>[]> {
  return reader.all(listBlobRows, {})
}

/** Lists every organization of an instance. */
export function listOrganizations(reader: Reader): Promise<Row<'organizations'>[]> {
  return reader.all(listOrganizationRows, {})
}

/** Lists every API token of an instance that is not revoked. */
export function listTokens(reader: Reader): Promise<TokenEntry[]> {
  return reader.all(listTokenEntries, {})
}

/** Finds a valid API token by its id, of any user. */
export function findToken(reader: Reader, id: number): Promise<Row<'api_tokens'> | undefined> {
  return reader.first(findTokenRow, { id })
}
