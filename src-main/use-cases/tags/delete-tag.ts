import { deleteTag as storeDeletion } from '#main/store/records/organizations/tag-writer'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'
import { getTag } from './tag-rules'

/** Deletes a tag (contract 4.7). Throws {@link DomainError}. */
export async function deleteTag(tx: Tx, key: { organization_id: number; id: number }): Promise<void> {
  const tag = await getTag(tx, key)
  await getManagedOrganization(tx, key.organization_id, 'tags.write')
  assertFresh(tx, tag)
  await storeDeletion(tx, tag)
}
