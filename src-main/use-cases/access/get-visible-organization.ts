import type { Row } from '#db/schema'
import { forbidden, notFound } from '#shared/domain/errors'
import { type Action, may } from '#shared/domain/permissions'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { getWritableOrganization } from './preconditions'

/** An organization and the caller's membership in it. */
export interface VisibleOrganization {
  readonly organization: Row<'organizations'>
  readonly membership: Row<'memberships'>
}

/** The organization, if the caller may see it; otherwise 404, as for a missing one. 403 if they may see it but not do `action`. */
export async function getVisibleOrganization(
  reader: Reader,
  { id, user_id, action = 'organizations.read' }: { id: number; user_id: number; action?: Action },
): Promise<VisibleOrganization> {
  const organization = await findOrganization(reader, id)
  const membership = organization && (await findMembership(reader, { organization_id: id, user_id }))
  if (!organization || !membership || !may('organizations.read', membership)) throw notFound()
  if (!may(action, membership)) throw forbidden()
  return { organization, membership }
}

/**
 * The organization, if the acting user may do this in it and it can be written: 404 to strangers, then 402 if it is expired, then 403. Throws {@link
 * DomainError}.
 */
export async function getManagedOrganization(tx: Tx, id: number, action: Action): Promise<VisibleOrganization> {
  const visible = await getVisibleOrganization(tx, { id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, id)
  if (!may(action, { role: visible.membership.role })) throw forbidden()
  return visible
}
