import type { Row } from '#db/schema'
import { DomainError } from '#shared/domain/errors'
import { type Role, isAtLeast } from '#shared/domain/roles'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { deleteMembership, insertMembership, updateMembership } from '#main/store/records/organizations/organization-writer'
import { listMembershipsEver } from '#main/store/records/users/erased-person'
import { findOpenIdGrant, storeOpenIdGrant, wasEndedByGroups } from '#main/store/records/users/openid-links'
import type { Reader, Tx } from '#main/store/core/store'
import { assertNotStandingIn } from '../approvals/stand-in-record'
import { assertNotLastAdmin } from './memberships'

/** The role of a group in an organization. */
export interface GroupRole {
  readonly group: string
  readonly organization: number
  readonly role: Role
}

/** The highest role that groups give in each organization of `rules`; undefined: no group gives one there. */
export function rolesOf(rules: readonly GroupRole[], groups: readonly string[]): Map<number, Role | undefined> {
  const given = new Map<number, Role | undefined>(rules.map(({ organization }) => [organization, undefined]))
  for (const { group, organization, role } of rules)
    if (groups.includes(group) && !isAtLeast(given.get(organization), role)) given.set(organization, role)
  return given
}

/** Whether an organization exists and is not expired. */
export async function takesMembers(reader: Reader, organization_id: number): Promise<boolean> {
  return (await findOrganization(reader, organization_id))?.expired_at === null
}

/**
 * Gives the acting user the memberships and roles of their groups. The last admin and people who stand in for others keep theirs. A membership from
 * groups ends with them; one that a person ended does not come back.
 */
export async function applyGroups(tx: Tx, given: ReadonlyMap<number, Role | undefined>): Promise<void> {
  const { user_id } = tx.actor
  for (const [organization_id, role] of given) {
    if (!(await takesMembers(tx, organization_id))) continue
    const key = { organization_id, user_id }
    const [member, grant] = [await findMembership(tx, key), await findOpenIdGrant(tx, key)]
    if (role === undefined) {
      if (!grant?.role) continue
      if (member && !(await mayLose(tx, member))) continue
      if (member) await deleteMembership(tx, member, 'organization_remove_member')
    } else if (member) {
      if (await mayLose(tx, member, role)) await updateMembership(tx, member, { role })
    } else {
      if (!(await mayJoin(tx, key))) continue
      await insertMembership(tx, { ...key, role })
    }
    await storeOpenIdGrant(tx, { ...key, role: role ?? null })
  }
}

/** Whether groups may make someone a member: they were not removed and did not leave since their last membership. */
async function mayJoin(tx: Tx, { organization_id, user_id }: { organization_id: number; user_id: number }): Promise<boolean> {
  const last = (await listMembershipsEver(tx, user_id)).findLast((one) => one.organization_id === organization_id)
  return last === undefined || wasEndedByGroups(tx, last.id)
}

/** Whether a member may get this role instead of theirs, or leave. */
async function mayLose(tx: Tx, member: Row<'memberships'>, role?: Role): Promise<boolean> {
  try {
    if (role !== 'admin') await assertNotLastAdmin(tx, member)
    if (!isAtLeast(role, 'analyst')) await assertNotStandingIn(tx, member)
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}
