import type { Row } from '#db/schema'
import { invalid, notFound } from '#shared/domain/errors'
import { tagKey } from '#shared/domain/tags'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { findTag, findTagByKey } from '#main/store/records/organizations/tag-reader'

/** A tag of an organization; 404 where there is none. */
export async function getTag(reader: Reader, key: { organization_id: number; id: number }): Promise<Row<'tags'>> {
  const tag = await findTag(reader, key)
  if (!tag) throw notFound()
  return tag
}

/** Refuses a name that another tag of the organization has, whatever its case (supplement 2, "Tags"). */
export async function assertFreeName(
  tx: Tx,
  { organization_id, name, id }: { organization_id: number; name: string; id?: number },
): Promise<void> {
  const holder = await findTagByKey(tx, { organization_id, name_key: tagKey(name) })
  if (holder && holder.id !== id) throw invalid('name', 'taken')
}

/** Refuses to limit a tag to users who are no members (contract 2.10: "which organization users"). */
export async function assertMembers(tx: Tx, organization_id: number, user_ids: readonly number[]): Promise<void> {
  for (const user_id of user_ids)
    if (!(await findRole(tx, { organization_id, user_id }))) throw invalid('restricted_user_ids', 'not_a_member')
}
