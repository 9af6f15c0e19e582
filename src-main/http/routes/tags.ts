import type { Row } from '#db/schema'
import { type Tag, tagRoutes } from '#shared/contract/tags'
import { may } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import { tag } from '#shared/records/tag'
import { listRestrictionsOf } from '#main/store/records/organizations/tag-reader'
import { tagRecord } from '#main/use-cases/tags/tag-record'
import type { Context } from '../endpoint'
import { toOrganizationRecord } from '../representations/records'
import { organizationRecordEndpoints } from './organization-records'

/** Tags of an organization in the contract's form (2.10); restrictions are included for those who may show them. */
async function toTags(context: Context, role: Role, rows: ReadonlyArray<Row<'tags'>>): Promise<Tag[]> {
  const restrictions = await listRestrictionsOf(
    context.reader,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const restricted_user_ids = restrictions.get(row.id) ?? []
    const { _links, ...shown } = toOrganizationRecord(tag, row)
    return {
      ...shown,
      ...(may('tags.show', { role }) ? { restricted_user_ids } : {}),
      usable: restricted_user_ids.length === 0 || restricted_user_ids.includes(context.caller.user_id),
      // The contract's tags have no PATCH link.
      _links: _links.filter(({ rel }) => rel !== 'partial_update'),
    }
  })
}

/** Tags (contract 4.7). */
export const tagEndpoints = organizationRecordEndpoints({ routes: tagRoutes, record: tagRecord, show: toTags })
