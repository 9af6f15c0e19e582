import type { Row } from '#db/schema'
import { splitTagNames } from '#shared/domain/tags'
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

/** The names in a comma-separated text, by the names with commas that the tags of these organizations have. */
export async function splitKnownTagNames(
  reader: Reader,
  { text, organization_ids }: { text: string; organization_ids: readonly number[] },
): Promise<string[]> {
  const known = text.includes(',') ? await listKeysWithComma(reader, organization_ids) : new Set<string>()
  return splitTagNames(text, (key) => known.has(key))
}

async function listKeysWithComma(reader: Reader, organization_ids: readonly number[]): Promise<Set<string>> {
  if (organization_ids.length === 0) return new Set()
  const rows = await reader.db
    .selectFrom('tags')
    .select('name_key')
    .where('organization_id', 'in', [...organization_ids])
    .where('name_key', 'like', '%,%')
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ name_key }) => name_key))
}
