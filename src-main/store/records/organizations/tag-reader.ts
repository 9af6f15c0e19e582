import type { Row } from '#db/schema'
import { splitTagNames } from '#shared/domain/tags'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** Whose tags split a text into names: an organization's, or those of a user's organizations. */
type TagScope = { readonly organization_id: number } | { readonly user_id: number }

/** Splits comma-separated tag names; existing tags decide which names contain a comma. */
export async function splitKnownTagNames(reader: Reader, text: string, scope: TagScope): Promise<string[]> {
  const known = text.includes(',') ? await listKeysWithComma(reader, scope) : new Set<string>()
  return splitTagNames(text, (key) => known.has(key))
}

async function listKeysWithComma({ db }: Reader, scope: TagScope): Promise<Set<string>> {
  const own = (user_id: number) =>
    db.selectFrom('memberships').select('organization_id').where('user_id', '=', user_id).where('deleted_at', 'is', null)
  const rows = await db
    .selectFrom('tags')
    .select('name_key')
    .where('organization_id', 'in', 'user_id' in scope ? own(scope.user_id) : [scope.organization_id])
    .where('name_key', 'like', '%,%')
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ name_key }) => name_key))
}

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

const listAny = listStatement<number, Row<'tags'>>((db, ids) => db.selectFrom('tags').selectAll().where('id', 'in', ids), { keptBy: 'id' })

/** Tags by id, including deleted ones: history shows their names. */
export function listTagsByIds(reader: Reader, ids: readonly number[]): Promise<Row<'tags'>[]> {
  return reader.allOf(listAny, ids)
}

/** An organization's tag with this name, ignoring case. */
export function findTagByKey(reader: Reader, key: { organization_id: number; name_key: string }) {
  return reader.first(findByKey, key)
}

/** The users that a tag is restricted to; empty: anyone may use it. */
export async function listRestrictedUserIds(reader: Reader, tag_id: number): Promise<number[]> {
  return (await reader.all(listRestrictions, { tag_id })).map(({ user_id }) => user_id)
}

/** The users that tags are restricted to, by tag id, without unrestricted tags. */
export async function listRestrictionsOf(reader: Reader, tag_ids: readonly number[]): Promise<Map<number, number[]>> {
  if (tag_ids.length === 0) return new Map()
  const rows = await reader.db
    .selectFrom('tag_restrictions')
    .selectAll()
    .where('tag_id', 'in', [...tag_ids])
    .orderBy('user_id')
    .execute()
  return new Map([...Map.groupBy(rows, ({ tag_id }) => tag_id)].map(([tag_id, all]) => [tag_id, all.map(({ user_id }) => user_id)]))
}
