import type { Row } from '#db/schema'
import { tagKey } from '#shared/domain/tags'
import { tag } from '#shared/records/tag'
import { reindexTagged } from '../expenses/expense-search'
import type { Changes } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'
import {
  type NewOrganizationRow,
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from './organization-records'
import { addPolicyRun } from '../../queues/policy-runs'
import { listPolicies } from './policy-reader'
import { listRestrictedUserIds } from './tag-reader'
import type { ActivityDetail } from '../conversations/activity-details'

const insertRestriction = statement<Row<'tag_restrictions'>, unknown>((db, p) =>
  db.insertInto('tag_restrictions').values({ tag_id: p('tag_id'), user_id: p('user_id') }),
)
const deleteRestrictions = statement<{ tag_id: number }, unknown>((db, p) =>
  db.deleteFrom('tag_restrictions').where('tag_id', '=', p('tag_id')),
)

const takeOff = (['expense', 'reimbursement', 'advancement'] as const).map((resource) =>
  statement<{ tag_id: number }, unknown>((db, p) => db.deleteFrom(`${resource}_tags`).where('tag_id', '=', p('tag_id'))),
)

/** Columns of a tag to change, and who may use it; empty: every member. Absent: unchanged. */
export type TagChanges = Changes<'tags'> & { readonly restricted_user_ids?: readonly number[] }

/** Stores a new tag and records it in the audit trail. `user_ids`: who may use it; empty: every member. */
export async function insertTag(
  tx: Tx,
  values: Omit<NewOrganizationRow<'tags'>, 'name_key'>,
  user_ids: readonly number[] = [],
): Promise<Row<'tags'>> {
  const details = user_ids.length === 0 ? [] : [{ ...limited, from: null, to: toSorted(user_ids).join(', ') }]
  const stored = await insertOrganizationRecord(tx, { ...tag, details }, { ...values, name_key: tagKey(values.name) })
  await restrictTag(tx, stored.id, user_ids)
  return stored
}

/** Changes a tag. Records that carry it keep their version; search finds expenses by the new name at once. */
export async function updateTag(tx: Tx, row: Row<'tags'>, { restricted_user_ids, ...plain }: TagChanges): Promise<Row<'tags'>> {
  const changes = plain.name === undefined ? plain : { ...plain, name_key: tagKey(plain.name) }
  const details = restricted_user_ids ? await restrictTag(tx, row.id, restricted_user_ids) : []
  const stored = await updateOrganizationRecord(tx, tag, { row, changes, details })
  if (stored.name !== row.name) await reindexTagged(tx, row.id)
  return stored
}

/** Deletes a tag and removes it from all records and from search. */
export async function deleteTag(tx: Tx, row: Row<'tags'>): Promise<void> {
  const user_ids = await listRestrictedUserIds(tx, row.id)
  const details = user_ids.length === 0 ? [] : [{ ...limited, from: user_ids.join(', '), to: null }]
  await deleteOrganizationRecord(tx, { ...tag, details }, row)
  await reindexTagged(tx, row.id)
  for (const tags of takeOff) await tx.run(tags, { tag_id: row.id })
  if ((await listPolicies(tx, row.organization_id)).length > 0) await addPolicyRun(tx, row.organization_id)
}

const limited = { attribute: 'restricted_user_ids' } as const
const toSorted = (user_ids: readonly number[]) => [...new Set(user_ids)].sort((a, b) => a - b)

/** Restricts a tag to these users; returns the change. */
export async function restrictTag(tx: Tx, tag_id: number, user_ids: readonly number[]): Promise<ActivityDetail[]> {
  const before = (await listRestrictedUserIds(tx, tag_id)).join(', ')
  const after = toSorted(user_ids)
  if (before === after.join(', ')) return []
  await tx.run(deleteRestrictions, { tag_id })
  for (const user_id of after) await tx.run(insertRestriction, { tag_id, user_id })
  return [{ ...limited, from: before, to: after.join(', ') }]
}
