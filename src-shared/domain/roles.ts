/** Membership roles, from the least to the most. Contract 3.4. */
export const roles = ['member', 'analyst', 'manager', 'admin'] as const

/** A member's role in an organization. */
export type Role = (typeof roles)[number]

/** Whether a role (undefined: not a member) is `least` or above. */
export function isAtLeast(role: Role | undefined, least: Role): boolean {
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(least)
}

/** The roles that a member with `role` may give, never above their own; a regular member gives none. Contract 2.13. */
export function grantableRoles(role: Role): Role[] {
  return isAtLeast(role, 'analyst') ? roles.filter((granted) => isAtLeast(role, granted)) : []
}

/**
 * Whether `actor` may change the role of, or remove, a member whose role is `target`: analysts and above, and nobody a member
 * above themselves. Contract 2.13; supplement 2, "Memberships". That the last admin stays is the caller's rule.
 */
export function canChangeMember(actor: Role, target: Role): boolean {
  return grantableRoles(actor).includes(target)
}
