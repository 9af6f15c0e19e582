import type { Row } from '#db/schema'
import { notFound } from '#shared/domain/errors'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import type { Reader } from '#main/store/core/store'

/** A user's membership in an organization; 404 if they are not a member. */
export async function getMember(reader: Reader, key: { organization_id: number; user_id: number }): Promise<Row<'memberships'>> {
  const membership = await findMembership(reader, key)
  if (!membership) throw notFound()
  return membership
}
