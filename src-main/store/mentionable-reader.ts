import type { Row } from '#db/schema'
import type { ParentRef } from './parent'
import type { Reader } from './store'

/** Members of the payer, the receiver and the participants (supplement 3, "Mentions"). */
function mentionablesOf(reader: Reader, { kind, id, organization_id, receiver_id }: ParentRef) {
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
        .union(from.selectFrom('participants').select('user_id').where(`${kind}_id`, '=', id).where('deleted_at', 'is', null))
        .union(from.selectFrom('users').select('id as user_id').where('id', '=', receiver_id)),
    )
}

/** Those who can be mentioned in the comments of a parent, by name. */
export function listMentionables(reader: Reader, parent: ParentRef): Promise<Row<'users'>[]> {
  return mentionablesOf(reader, parent).orderBy('first_name').orderBy('last_name').orderBy('id').execute()
}

/** Those of them who have one of these mention names, whatever its case. */
export function listMentionablesNamed(reader: Reader, parent: ParentRef, names: readonly string[]): Promise<Row<'users'>[]> {
  if (names.length === 0) return Promise.resolve([])
  return mentionablesOf(reader, parent)
    .where('mention_name', 'in', [...names])
    .execute()
}
