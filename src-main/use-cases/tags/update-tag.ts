import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { tagRoutes } from '#shared/contract/tags'
import { listRestrictedUserIds } from '#main/store/records/organizations/tag-reader'
import { updateTag as storeTag } from '#main/store/records/organizations/tag-writer'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'
import { assertFreeName, assertMembers, getTag } from './tag-rules'

/** Attributes to change; those that are absent keep their value, and null lifts the restriction. */
export type UpdateTag = z.output<typeof tagRoutes.update.body>

/** Changes a tag (contract 4.7). Throws {@link DomainError}. */
export async function updateTag(tx: Tx, key: { organization_id: number; id: number }, input: UpdateTag): Promise<Row<'tags'>> {
  const tag = await getTag(tx, key)
  await getManagedOrganization(tx, key.organization_id, 'tags.write')
  assertFresh(tx, tag)
  const { name, group, restricted_user_ids } = input
  if (name !== undefined) await assertFreeName(tx, { ...key, name })
  if (restricted_user_ids) {
    // Those who have left since may stay on the list: a representation that is sent back must not fail.
    const before = await listRestrictedUserIds(tx, tag.id)
    await assertMembers(
      tx,
      key.organization_id,
      restricted_user_ids.filter((user_id) => !before.includes(user_id)),
    )
  }
  return storeTag(tx, tag, {
    name,
    group_name: group,
    restricted_user_ids: restricted_user_ids === null ? [] : restricted_user_ids,
  })
}
