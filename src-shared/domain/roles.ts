/** Membership roles, in ascending order. Contract 3.4. */
export const roles = ['member', 'analyst', 'manager', 'admin'] as const

/** A member's role in an organization. */
export type Role = (typeof roles)[number]

/** Whether a role (undefined: no member) is `least` or above. */
export function isAtLeast(role: Role | undefined, least: Role): boolean {
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(least)
}

/** The roles that a member with `role` may give, never above their own; plain members give none. Contract 2.13. */
export function grantableRoles(role: Role): Role[] {
  return isAtLeast(role, 'analyst') ? roles.filter((granted) => isAtLeast(role, granted)) : []
}

/**
 * Whether `actor` may change the role of, or remove, a member with role `target`: analysts and above may, but not members above themselves. Contract
 * 2.13; supplement 2, "Memberships". The caller checks that the last admin stays.
 */
export function canChangeMember(actor: Role, target: Role): boolean {
  return grantableRoles(actor).includes(target)
}
