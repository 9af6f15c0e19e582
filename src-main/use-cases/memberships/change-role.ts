import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { membershipRoutes } from '#shared/contract/memberships'
import { forbidden, invalid } from '#shared/domain/errors'
import { canChangeMember, grantableRoles, isAtLeast } from '#shared/domain/roles'
import { toColumns } from '#shared/records/columns'
import { membership as definition } from '#shared/records/membership'
import { countAdmins } from '#main/store/records/organizations/membership-reader'
import { updateMembership } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'
import { assertNotStandingIn } from '../approvals/stand-in-record'
import { getMember } from './get-member'

/** The role to give. */
export type ChangeRole = z.output<typeof membershipRoutes.update.body>

/**
 * Changes a member's role (contract 2.13): nobody gives a role above their own, or changes a member above themselves; the last admin stays one.
 * Throws {@link DomainError}.
 */
export async function changeRole(
  tx: Tx,
  key: { organization_id: number; user_id: number },
  input: ChangeRole,
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
