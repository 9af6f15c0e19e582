import type { Row } from '#db/schema'
import { statement } from './statement'
import type { Reader } from './store'

const findByKey = statement<{ organization_id: number; name_key: string }, Row<'tags'>>((db, p) =>
  db
    .selectFrom('tags')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('name_key', '=', p('name_key'))
    .where('deleted_at', 'is', null),
)
const listRestrictions = statement<{ tag_id: number }, { user_id: number }>((db, p) =>
  db.selectFrom('tag_restrictions').select('user_id').where('tag_id', '=', p('tag_id')).orderBy('user_id'),
)

/** The tag of an organization with this name, whatever its case. */
export function findTagByKey(reader: Reader, key: { organization_id: number; name_key: string }) {
  return reader.first(findByKey, key)
}

/** The users that a restricted tag is limited to; none: everybody may use it. */
export async function listRestrictedUserIds(reader: Reader, tag_id: number): Promise<number[]> {
  return (await reader.all(listRestrictions, { tag_id })).map(({ user_id }) => user_id)
}
