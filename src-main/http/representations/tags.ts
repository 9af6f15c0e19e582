import type { Row } from '#db/schema'
import type { Tag } from '#shared/contract/tags'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { listRestrictionsOf } from '#main/store/records/organizations/tag-reader'
import type { Context } from '../endpoint'
import { memberLinks } from './links'

/** Tags of one organization as the contract shows them (2.10); who a tag is limited to is shown to those who may show it. */
export async function toTags(context: Context, role: Role, rows: ReadonlyArray<Row<'tags'>>): Promise<Tag[]> {
  const restrictions = await listRestrictionsOf(
    context.reader,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, uid, version, organization_id, name, group_name: group, created_at, updated_at }) => {
    const restricted_user_ids = restrictions.get(id) ?? []
    return {
      id,
      uid,
      version,
      name,
      group,
      ...(may('tags.show', { role }) ? { restricted_user_ids } : {}),
      usable: restricted_user_ids.length === 0 || restricted_user_ids.includes(context.caller.user_id),
      created_at,
      updated_at,
      _links: memberLinks(`/organizations/${organization_id}/tags/${id}`).filter(({ rel }) => rel !== 'partial_update'),
    }
  })
}

/** One tag. */
export async function toOneTag(context: Context, role: Role, row: Row<'tags'>): Promise<Tag> {
  const [tag] = await toTags(context, role, [row])
  if (!tag) throw new Error('A tag has no representation.')
  return tag
}
