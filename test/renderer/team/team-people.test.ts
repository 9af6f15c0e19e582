import { expect, test } from 'vitest'
import type { Membership } from '#shared/contract/memberships'
import type { Role } from '#shared/domain/roles'
import { canRemove, findMembers, nameOf, rolesFor, sortMembers } from '../../../src-renderer/features/team/team-people'

const at = '2026-01-04T00:00:00Z'
const member = (id: number, name: string, role: Role, created_at = at): Membership => {
  const [first_name = '', last_name = ''] = name.split(' ')
  const emails = [{ email: `${first_name.toLowerCase()}@example.org`, main: true }]
  return {
    id,
    uid: String(id),
    version: 1,
    role,
    user: { id, uid: String(id), first_name, last_name, emails, avatar: [], default_avatar: true },
    organization: {
      ...{
        id: 1,
        uid: 'o',
        name: 'Acme',
        members_count: 3,
        restricted_tags: false,
        separate_approval: false,
        separate_payment: false,
        retention_years: null,
        expired: false,
        logo: [],
      },
      ...{ created_at: at, updated_at: at, _links: [] },
    },
    created_at,
    updated_at: at,
    _links: [],
  }
}
const team = [member(1, 'João Lima', 'member'), member(2, 'Ana Souza', 'admin'), member(3, 'Bia Alves', 'member', '2025-01-01T00:00:00Z')]
const names = (members: readonly Membership[]) => members.map(nameOf)

test('people are found by name without accents, or by address', () => {
  expect(names(findMembers(team, 'joao li'))).toEqual(['João Lima'])
  expect(names(findMembers(team, 'BIA@example'))).toEqual(['Bia Alves'])
})

test('people are sorted by name, by role with the highest first, or by when they joined', () => {
  expect(names(sortMembers(team, { columnId: 'name', direction: 'ascending' }))).toEqual(['Ana Souza', 'Bia Alves', 'João Lima'])
  expect(names(sortMembers(team, { columnId: 'role', direction: 'ascending' }))).toEqual(['Ana Souza', 'Bia Alves', 'João Lima'])
  expect(names(sortMembers(team, { columnId: 'since', direction: 'ascending' }))[0]).toBe('Bia Alves')
})

test('no one is offered a role above their own, or changes to members above them', () => {
  const [regular, admin] = [member(1, 'A B', 'member'), member(2, 'C D', 'admin')]
  expect(rolesFor('member', regular)).toEqual([])
  expect(rolesFor('analyst', regular)).toEqual(['member', 'analyst'])
  expect(rolesFor('manager', admin)).toEqual([])
  expect(rolesFor(undefined, regular)).toEqual([])
  expect(canRemove('analyst', regular, 9)).toBe(true)
  expect(canRemove('analyst', regular, 1)).toBe(false)
  expect(canRemove('manager', admin, 9)).toBe(false)
  expect(canRemove('member', regular, 9)).toBe(false)
})
