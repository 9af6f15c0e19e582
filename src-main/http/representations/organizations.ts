import type { Row } from '#db/schema'
import type { JoinNotice } from '#shared/contract/join-notices'
import type { Membership } from '#shared/contract/memberships'
import type { Organization } from '#shared/contract/organizations'
import { membership } from '#shared/records/membership'
import { organization } from '#shared/records/organization'
import type { JoinNotice as StoredNotice } from '#main/store/records/organizations/join-notices'
import { countMembers } from '#main/store/records/organizations/organization-reader'
import type { Context } from '../endpoint'
import { memberLinks, toRecord } from './records'
import { loadPeople, toOrganizationParty, toUserParty, toUserRepresentation } from './people'

/** Organizations in the form of supplement 2. */
export async function toOrganizations(context: Context, rows: ReadonlyArray<Row<'organizations'>>): Promise<Organization[]> {
  const ids = rows.map(({ id }) => id)
  const people = await loadPeople(context, { user_ids: [], organization_ids: ids })
  const members = await countMembers(context.reader, ids)
  return rows.map((row) => ({
    ...toRecord(organization, row, people),
    members_count: members.get(row.id) ?? 0,
    expired: row.expired_at !== null,
    logo: toOrganizationParty(people, row.id).logo ?? [],
    _links: memberLinks(`/organizations/${row.id}`),
  }))
}

/** One organization. */
export async function toOneOrganization(context: Context, row: Row<'organizations'>): Promise<Organization> {
  const [shown] = await toOrganizations(context, [row])
  if (!shown) throw new Error('An organization has no representation.')
  return shown
}

/** Memberships of one organization in the contract's form (2.13). */
export async function toMemberships(
  context: Context,
  within: Row<'organizations'>,
  rows: ReadonlyArray<Row<'memberships'>>,
): Promise<Membership[]> {
  const user_ids = rows.map(({ user_id }) => user_id)
  const people = await loadPeople(context, { user_ids, with_emails: true })
  const embedded = embed(await toOneOrganization(context, within))
  return rows.map((row) => ({
    ...toRecord(membership, row, people),
    user: { ...toUserRepresentation(people, row.user_id), default_currency: people.users.get(row.user_id)?.default_currency },
    organization: embedded,
    _links: memberLinks(`/organizations/${row.organization_id}/members/${row.user_id}`).filter(({ rel }) => rel !== 'partial_update'),
  }))
}

/** One membership. */
export async function toOneMembership(context: Context, within: Row<'organizations'>, row: Row<'memberships'>): Promise<Membership> {
  const [shown] = await toMemberships(context, within, [row])
  if (!shown) throw new Error('A membership has no representation.')
  return shown
}

/** Notices about organizations to which the caller was added. */
export async function toJoinNotices(context: Context, rows: readonly StoredNotice[]): Promise<JoinNotice[]> {
  const people = await loadPeople(context, {
    user_ids: rows.map(({ added_by_user_id }) => added_by_user_id),
    organization_ids: rows.map(({ organization_id }) => organization_id),
  })
  return rows.map(({ membership_id, organization_id, role, added_by_user_id, created_at }) => ({
    id: membership_id,
    organization: toOrganizationParty(people, organization_id),
    role,
    added_by: toUserParty(people, added_by_user_id),
    created_at,
  }))
}

/** An organization inside another record, with `url` in its links (contract 2.1). */
function embed({ version: _version, _links, ...organization }: Organization): Membership['organization'] {
  return { ...organization, _links: _links.map(({ rel, method, href: url }) => ({ rel, method, url })) }
}
