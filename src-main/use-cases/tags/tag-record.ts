import type { z } from 'zod'
import type { tagRoutes } from '#shared/contract/tags'
import { DomainError, invalid } from '#shared/domain/errors'
import { tagKey } from '#shared/domain/tags'
import { newColumns, toColumns } from '#shared/records/columns'
import { tag } from '#shared/records/tag'
import type { Tx } from '#main/store/core/store'
import { listApprovalRules } from '#main/store/records/organizations/approval-reader'
import { assertTagOfOpenMonths } from '#main/store/records/organizations/closed-months'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findTagByKey, listRestrictedUserIds } from '#main/store/records/organizations/tag-reader'
import { deleteTag, insertTag, updateTag } from '#main/store/records/organizations/tag-writer'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'

/** Tags (contract 4.7): their names are unique, and they may be restricted to some members. A tag in an approval rule cannot be deleted. */
export const tagRecord: OrganizationRecord<'tags', z.output<typeof tagRoutes.create.body>> = {
  table: 'tags',
  action: 'tags.write',
  assertValid: async (tx, { organization_id, row, input: { name, restricted_user_ids } }) => {
    if (name !== undefined) await assertFreeName(tx, { organization_id, name, id: row?.id })
    // Former members may stay in the list: a representation that is sent back must not fail.
    const before = row && restricted_user_ids ? await listRestrictedUserIds(tx, row.id) : []
    const added = (restricted_user_ids ?? []).filter((user_id) => !before.includes(user_id))
    await assertMembers(tx, organization_id, added)
  },
  insert: (tx, organization_id, { restricted_user_ids, ...input }) =>
    insertTag(tx, { ...newColumns(tag.attributes, input), organization_id }, restricted_user_ids ?? []),
  update: async (tx, row, { restricted_user_ids: ids, ...input }) => {
    if (input.name !== undefined && input.name !== row.name) await assertTagOfOpenMonths(tx, row)
    return updateTag(tx, row, { ...toColumns(tag.attributes, input), restricted_user_ids: ids === null ? [] : ids })
  },
  remove: async (tx, row) => {
    const isRuled = (await listApprovalRules(tx, row.organization_id)).some(({ tag_ids }) => tag_ids.includes(row.id))
    if (isRuled) throw new DomainError({ kind: 'not_possible', code: 'ruled_tag' })
    await assertTagOfOpenMonths(tx, row)
    await deleteTag(tx, row)
  },
}

/** Throws for a name that another tag of the organization has, ignoring case (supplement 2, "Tags"). */
async function assertFreeName(tx: Tx, { organization_id, name, id }: { organization_id: number; name: string; id?: number }) {
  const holder = await findTagByKey(tx, { organization_id, name_key: tagKey(name) })
  if (holder && holder.id !== id) throw invalid('name', 'taken')
}

/** Throws for a restriction to users who are not members (contract 2.10: "which organization users"). */
async function assertMembers(tx: Tx, organization_id: number, user_ids: readonly number[]) {
  for (const user_id of user_ids)
    if (!(await findRole(tx, { organization_id, user_id }))) throw invalid('restricted_user_ids', 'not_a_member')
}
