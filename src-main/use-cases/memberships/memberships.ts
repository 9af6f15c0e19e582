import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { membershipRoutes } from '#shared/contract/memberships'
import { DomainError, forbidden, invalid, notFound } from '#shared/domain/errors'
import { canChangeMember, grantableRoles, isAtLeast } from '#shared/domain/roles'
import { toColumns } from '#shared/records/columns'
import { membership as definition } from '#shared/records/membership'
import type { Reader, Tx } from '#main/store/core/store'
import { deleteJoinNotice, findJoinNotice } from '#main/store/records/organizations/join-notices'
import { countAdmins, findMembership } from '#main/store/records/organizations/membership-reader'
import { deleteMembership, updateMembership } from '#main/store/records/organizations/organization-writer'
import { getManagedOrganization, getVisibleOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'
import { assertNotStandingIn } from '../approvals/stand-in-record'

/** A user's membership in an organization; 404 if they are not a member. */
export async function getMember(reader: Reader, key: { organization_id: number; user_id: number }): Promise<Row<'memberships'>> {
  const membership = await findMembership(reader, key)
  if (!membership) throw notFound()
  return membership
}

/**
 * Changes a member's role (contract 2.13): nobody gives a role above their own, or changes a member above themselves; the last admin stays one.
 * Throws {@link DomainError}.
 */
export async function changeRole(
  tx: Tx,
  key: { organization_id: number; user_id: number },
  input: z.output<typeof membershipRoutes.update.body>,
): Promise<Row<'memberships'>> {
  const { role } = input
  const member = await getMember(tx, key)
  const { membership: own } = await getManagedOrganization(tx, key.organization_id, 'members.update')
  if (!canChangeMember(own.role, member.role) || !grantableRoles(own.role).includes(role)) throw forbidden()
  await assertFresh(tx, member)
  if (role !== 'admin') await assertNotLastAdmin(tx, member)
  if (!isAtLeast(role, 'analyst')) await assertNotStandingIn(tx, member)
  return updateMembership(tx, member, toColumns(definition.attributes, input))
}

/** Throws if an organization would have no admin left. */
export async function assertNotLastAdmin(tx: Tx, { organization_id, role }: Row<'memberships'>): Promise<void> {
  if (role === 'admin' && (await countAdmins(tx, organization_id)) === 1) throw invalid('role', 'last_admin')
}

/** Removes a member who is not above the acting user (contract 2.13, 4.10). Throws {@link DomainError}. */
export async function removeMember(tx: Tx, key: { organization_id: number; user_id: number }): Promise<void> {
  const member = await getMember(tx, key)
  const { membership: own } = await getManagedOrganization(tx, key.organization_id, 'members.remove')
  if (!canChangeMember(own.role, member.role)) throw forbidden()
  await assertFresh(tx, member)
  await assertNotLastAdmin(tx, member)
  await assertNotStandingIn(tx, member)
  await deleteMembership(tx, member, 'organization_remove_member')
}

/** Ends the acting user's membership, also in an expired organization; its only admin cannot leave (contract 4.10). Throws {@link DomainError}. */
export async function leaveOrganization(tx: Tx, id: number): Promise<void> {
  const { membership } = await getVisibleOrganization(tx, { id, user_id: tx.actor.user_id, action: 'organizations.leave' })
  if (membership.role === 'admin' && (await countAdmins(tx, id)) === 1)
    throw new DomainError({ kind: 'not_possible', code: 'only_admin', shape: 'error' })
  await assertFresh(tx, membership)
  await assertNotStandingIn(tx, membership)
  await deleteMembership(tx, membership, 'organization_left')
}

/** Deletes a notice that the acting user has read; 404 if they have none with this id. */
export async function readJoinNotice(tx: Tx, id: number): Promise<void> {
  if (!(await findJoinNotice(tx, { id, user_id: tx.actor.user_id }))) throw notFound()
  await deleteJoinNotice(tx, id)
}
