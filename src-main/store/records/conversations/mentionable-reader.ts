import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { FollowableRef } from './followable-columns'
import { readShare } from '../../core/list-query'
import type { Reader } from '../../core/store'

/** Under which record, and who asks. */
export type MentionableQuery = { readonly followable: FollowableRef; readonly asked_by: number }

/**
 * Members of the payer and the receiver (supplement 3, "Mentions"); a participant who has left takes part no longer. A receiver who
 * has left is not told who the members are: only who takes part.
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

/** Those who can be mentioned in the comments of a followable record, by name. */
export async function listMentionables(reader: Reader, asked: MentionableQuery): Promise<Row<'users'>[]> {
  const byName = mentionablesOf(reader, asked).orderBy('first_name').orderBy('last_name').orderBy('id')
  return (await readShare(reader, [byName.compile()], { table: 'memberships', user_id: asked.asked_by }))[0]
}

/** Those of them who have one of these mention names, whatever its case. */
export function listMentionablesNamed(reader: Reader, asked: MentionableQuery, names: readonly string[]): Promise<Row<'users'>[]> {
  if (names.length === 0) return Promise.resolve([])
  return mentionablesOf(reader, asked)
    .where('mention_name', 'in', [...names])
    .execute()
}
