import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { columnsOf } from '#shared/records/columns'
import type { ToldInPartTable } from '#shared/records/index'
import { user } from '#shared/records/user'
import type { Audience } from './audience'

/** The replacements of some columns for an audience, as SQL. */
export type Told = Readonly<Record<string, RawBuilder<unknown>>>

/** A placeholder for hidden instants. */
export const untoldInstant = '1970-01-01T00:00:00Z'

function toOthers(isOwn: RawBuilder<SqlBool>, values: Readonly<Record<string, string | number | null>>): Told {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [column, sql`case when ${isOwn} then ${sql.ref(column)} else ${sql.lit(value)} end`]),
  )
}

/** Fellow members get a person's names and default currency (contract 2.13), and no other attribute. */
const personColumns: readonly string[] = [...user.namedOnly.kept, 'default_currency']

/** The columns of a user's row that are private to the account; other users get no change of only these. */
export const accountColumns: ReadonlySet<string> = new Set(
  Object.entries(user.attributes)
    .flatMap(([name, attribute]) => columnsOf(name, attribute))
    .filter((column) => !personColumns.includes(column)),
)

/** Replaces a user's private columns and the time of the last change for others. */
function sharedUserColumns({ user_id }: Pick<Audience, 'user_id'>): Told {
  const rest: Readonly<Record<string, string>> = user.namedOnly.rest
  const account = Object.fromEntries([...accountColumns].map((column) => [column, rest[column] ?? null]))
  const instants = { created_at: untoldInstant, updated_at: untoldInstant }
  return toOthers(sql<SqlBool>`users.id = ${sql.lit(user_id)}`, { ...account, version: 1, ...instants })
}

/** Gives the address without its delivery state. */
function sharedEmailColumns({ user_id }: Pick<Audience, 'user_id'>): Told {
  const isOwn = sql<SqlBool>`user_emails.user_id = ${sql.lit(user_id)}`
  return toOthers(isOwn, { created_at: untoldInstant, bounced_at: null })
}

/** Gives whether the organization has expired, not when. */
function sharedOrganizationColumns(): Told {
  return { expired_at: sql`case when expired_at is null then null else ${sql.lit(untoldInstant)} end` }
}

/** Hides the hash of a card's number. */
function sharedCardColumns(): Told {
  return { number_hmac: sql`''` }
}

/** Gives the import's identity only to those who import. */
function sharedExpenseColumns({ user_id, reviews }: Audience): Told {
  const reviewers = sql.join([0, ...reviews].map((id) => sql.lit(id)))
  return toOthers(sql<SqlBool>`(payer_id in (${reviewers}) or receiver_id = ${sql.lit(user_id)})`, { external_id: null })
}

/** Gives only that there was a comment if it was deleted (supplement 2, "Comments"). */
function sharedCommentColumns(): Told {
  return { content: sql`case when deleted_at is null then content else '' end` }
}

const sharedInPart: Readonly<Record<ToldInPartTable, (audience: Audience) => Told>> = {
  organizations: sharedOrganizationColumns,
  users: sharedUserColumns,
  user_emails: sharedEmailColumns,
  corporative_cards: sharedCardColumns,
  expenses: sharedExpenseColumns,
  comments: sharedCommentColumns,
}

const byTable = new Map<string, (audience: Audience) => Told>(Object.entries(sharedInPart))

/** The replacements of a table's columns for an audience; undefined if it gets all of them. */
export function findShared(table: string): ((audience: Audience) => Told) | undefined {
  return byTable.get(table)
}
