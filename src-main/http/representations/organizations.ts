import type { Row } from '#db/schema'
import type { JoinNotice } from '#shared/contract/join-notices'
import type { Membership } from '#shared/contract/memberships'
import type { Organization } from '#shared/contract/organizations'
import type { JoinNotice as StoredNotice } from '#main/store/records/organizations/join-notices'
import { countMembers } from '#main/store/records/organizations/organization-reader'
import type { Context } from '../endpoint'
import { memberLinks } from './links'
import { loadPeople, toOrganizationParty, toUserParty, toUserRepresentation } from './people'

/** Organizations as supplement 2 shows them. */
export async function toOrganizations(context: Context, rows: ReadonlyArray<Row<'organizations'>>): Promise<Organization[]> {
  const ids = rows.map(({ id }) => id)
  const people = await loadPeople(context, { user_ids: [], organization_ids: ids })
  const members = await countMembers(context.reader, ids)
  return rows.map(({ id, uid, version, name, restricted_tags, expired_at, created_at, updated_at }) => ({
    id,
    uid,
    version,
    name,
    members_count: members.get(id) ?? 0,
    restricted_tags: restricted_tags === 1,
    expired: expired_at !== null,
    logo: toOrganizationParty(people, id).logo ?? [],
    created_at,
    updated_at,
    _links: memberLinks(`/organizations/${id}`),
  }))
}

/** One organization. */
export async function toOneOrganization(context: Context, row: Row<'organizations'>): Promise<Organization> {
  const [organization] = await toOrganizations(context, [row])
  if (!organization) throw new Error('An organization has no representation.')
  return organization
}

/** Memberships in one organization as the contract shows them (2.13). */
export async function toMemberships(
  context: Context,
  organization: Row<'organizations'>,
  rows: ReadonlyArray<Row<'memberships'>>,
): Promise<Membership[]> {
  const user_ids = rows.map(({ user_id }) => user_id)
  const people = await loadPeople(context, { user_ids, with_emails: true })
  const embedded = embed(await toOneOrganization(context, organization))
  return rows.map(({ id, uid, version, role, user_id, created_at, updated_at }) => ({
    id,
    uid,
    version,
    role,
    user: { ...toUserRepresentation(people, user_id), default_currency: people.users.get(user_id)?.default_currency },
    organization: embedded,
    created_at,
    updated_at,
    _links: memberLinks(`/organizations/${organization.id}/members/${user_id}`).filter(({ rel }) => rel !== 'partial_update'),
  }))
}

/** One membership. */
export async function toOneMembership(
  context: Context,
  organization: Row<'organizations'>,
  row: Row<'memberships'>,
): Promise<Membership> {
  const [membership] = await toMemberships(context, organization, [row])
  if (!membership) throw new Error('A membership has no representation.')
  return membership
}

/** Notices about organizations that the caller was added to. */
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

/** An organization inside another record; its links say `url` (contract 2.1). */
function embed({ version: _version, _links, ...organization }: Organization): Membership['organization'] {
  return { ...organization, _links: _links.map(({ rel, method, href: url }) => ({ rel, method, url })) }
}
