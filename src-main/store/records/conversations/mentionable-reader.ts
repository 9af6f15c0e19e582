import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { FollowableRef } from './followable-columns'
import { readShare } from '../../core/list-query'
import type { Reader } from '../../core/store'

/** The record, and the user who asks. */
export type MentionableQuery = { readonly followable: FollowableRef; readonly asked_by: number }

/**
 * Members of the payer, participants, and the receiver (supplement 3, "Mentions"), except participants who have left. A receiver who has left sees
 * only who takes part, not who the members are.
 */
function mentionablesOf(reader: Reader, { followable: { kind, id, organization_id, receiver_id }, asked_by }: MentionableQuery) {
  const isMember = sql<SqlBool>`exists (select 1 from memberships as own where own.organization_id = ${organization_id}
    and own.user_id = ${asked_by} and own.deleted_at is null)`
  const takesPart = sql<SqlBool>`user_id in (select user_id from participants
    where ${sql.ref(`${kind}_id`)} = ${id} and deleted_at is null)`
  return reader.db
    .selectFrom('users')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('id', 'in', (from) =>
      from
        .selectFrom('memberships')
        .select('user_id')
        .where('organization_id', '=', organization_id)
        .where('deleted_at', 'is', null)
        .where((is) => is.or([isMember, takesPart]))
        .union(from.selectFrom('users').select('id as user_id').where('id', '=', receiver_id)),
    )
}

/** The users who can be mentioned in a followable record's comments, by name. */
export async function listMentionables(reader: Reader, asked: MentionableQuery): Promise<Row<'users'>[]> {
  const byName = mentionablesOf(reader, asked).orderBy('first_name').orderBy('last_name').orderBy('id')
  return (await readShare(reader, [byName.compile()], { table: 'memberships', user_id: asked.asked_by }))[0]
}

/** The mentionable users who have one of these mention names; ignores case. */
export function listMentionablesNamed(reader: Reader, asked: MentionableQuery, names: readonly string[]): Promise<Row<'users'>[]> {
  if (names.length === 0) return Promise.resolve([])
  return mentionablesOf(reader, asked)
    .where('mention_name', 'in', [...names])
    .execute()
}
