import { type RawBuilder, sql } from 'kysely'
import type { Cell } from '#shared/contract/sync'
import type { PartlySeenTable } from '#shared/records/index'
import type { Audience } from './audience'
import { among, seenExpense } from './sight'

/** A row in the wire format. */
export type PlainRow = Readonly<Record<string, Cell>>

/** The links of some records that an audience sees, if it does not see all of them. */
type SeenLinks = (audience: Audience, owners: RawBuilder<unknown>) => RawBuilder<PlainRow>

const seenLinks: Readonly<Record<PartlySeenTable, SeenLinks>> = {
  tag_restrictions: shareRestrictions,
  // Who sees an accountability sees only those of its expenses that they may see, without deleted ones.
  accountability_expenses: (audience, owners) => sql<PlainRow>`select accountability_expenses.* from accountability_expenses
    join expenses on expenses.id = expense_id
    where accountability_id in (${owners}) and expenses.deleted_at is null and ${seenExpense(audience)}`,
  comment_mentions: (_audience, owners) => sql<PlainRow>`select comment_mentions.* from comment_mentions
    join comments on comments.id = comment_id where comment_id in (${owners}) and comments.deleted_at is null`,
}

const byTable = new Map<string, SeenLinks>(Object.entries(seenLinks))

/** The links of a table that an audience sees; undefined: all links of the records that it sees. */
export function findSeenLinks(table: string): SeenLinks | undefined {
  return byTable.get(table)
}

/**
 * Users who may show a tag get the users it is restricted to; others learn only whether they may use it: the id of an admin stands for all others.
 */
function shareRestrictions({ user_id, shows_tags }: Audience, owners: RawBuilder<unknown>): RawBuilder<PlainRow> {
  const isWhole = among(sql.ref('tags.organization_id'), shows_tags)
  const admin = sql`(select user_id from memberships where organization_id = tags.organization_id and role = 'admin'
    and deleted_at is null order by id limit 1)`
  return sql<PlainRow>`select tag_id, user_id from tag_restrictions join tags on tags.id = tag_id
      where tag_id in (${owners}) and (${isWhole} or user_id = ${sql.lit(user_id)})
    union select tag_id, coalesce(${admin}, user_id) from tag_restrictions as others join tags on tags.id = tag_id
      where tag_id in (${owners}) and not ${isWhole} and not exists (select 1 from tag_restrictions as own
        where own.tag_id = others.tag_id and own.user_id = ${sql.lit(user_id)})`
}
