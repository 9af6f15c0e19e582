import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { tagRoutes } from '#shared/contract/tags'
import { insertTag, restrictTag } from '#main/store/records/organizations/tag-writer'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFreeName, assertMembers } from './tag-rules'

/** What a new tag is made from. */
export type CreateTag = z.output<typeof tagRoutes.create.body>

/** Creates a tag (contract 4.7). Throws {@link DomainError}. */
export async function createTag(
  tx: Tx,
  organization_id: number,
  { name, group = null, restricted_user_ids }: CreateTag,
): Promise<Row<'tags'>> {
  await getManagedOrganization(tx, organization_id, 'tags.write')
  await assertFreeName(tx, { organization_id, name })
  await assertMembers(tx, organization_id, restricted_user_ids ?? [])
  const tag = await insertTag(tx, { organization_id, name, group_name: group })
  await restrictTag(tx, tag.id, restricted_user_ids ?? [])
  return tag
}
