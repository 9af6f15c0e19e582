import type { Membership } from '#shared/contract/memberships'
import { may } from '#shared/domain/permissions'
import { type Role, canChangeMember, grantableRoles, roles } from '#shared/domain/roles'
import type { GridSort } from '../../ui/grid/grid-types'
import { containsEveryWord } from '../../ui/values/contains-every-word'

/** A member's whole name. */
export function nameOf({ user }: Membership): string {
  return `${user.first_name} ${user.last_name}`.trim()
}

/** The address that a member is written to; empty for one who has none. */
export function emailOf({ user }: Membership): string {
  return (user.emails.find(({ main }) => main) ?? user.emails[0])?.email ?? ''
}

/** A member's picture in the size of a row. */
export function pictureOf({ user }: Membership): string | undefined {
  return user.avatar.find(({ style }) => style === 'tiny')?.url
}

/** The members whom every word of a search fits, by name or address. */
export function findMembers(members: readonly Membership[], search: string): Membership[] {
  return members.filter((member) => containsEveryWord(`${nameOf(member)} ${emailOf(member)}`, search))
}

const sortKeys: Readonly<Record<string, (a: Membership, b: Membership) => number>> = {
  name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
  email: (a, b) => emailOf(a).localeCompare(emailOf(b)),
  role: (a, b) => roles.indexOf(b.role) - roles.indexOf(a.role),
  since: (a, b) => a.created_at.localeCompare(b.created_at),
}

/** The members in an order; those who are equal in it, by name. */
export function sortMembers(members: readonly Membership[], { columnId, direction }: GridSort): Membership[] {
  const byName = sortKeys.name ?? (() => 0)
  const compare = sortKeys[columnId] ?? byName
  const sign = direction === 'descending' ? -1 : 1
  return members.toSorted((a, b) => sign * compare(a, b) || byName(a, b))
}

/** The roles that a person may give a member; none if they may not change that member. */
export function rolesFor(own: Role | undefined, member: Membership): Role[] {
  if (own === undefined || !may('members.update', { role: own }) || !canChangeMember(own, member.role)) return []
  return grantableRoles(own)
}

/** Whether a person may remove a member; people leave instead of removing themselves. */
export function canRemove(own: Role | undefined, member: Membership, ownUserId: number): boolean {
  if (own === undefined || member.user.id === ownUserId) return false
  return may('members.remove', { role: own }) && canChangeMember(own, member.role)
}

/** Whether a person may erase a member: admins, and nobody themselves. */
export function canErase(own: Role | undefined, member: Membership, ownUserId: number): boolean {
  return member.user.id !== ownUserId && may('members.erase', { role: own })
}
