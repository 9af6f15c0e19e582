import { splitTagNames } from '#shared/domain/tags'
import type { Reader } from '../../core/store'

/** Whose tags split a text into names: an organization's, or those of a user's organizations. */
export type TagScope = { readonly organization_id: number } | { readonly user_id: number }

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
