import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { canChangeMember, grantableRoles, isAtLeast, roles } from '#shared/domain/roles'

const anyRole = fc.constantFrom(...roles)

describe('roles', () => {
  it('are ordered, and a stranger has none', () => {
    expect(isAtLeast('manager', 'analyst')).toBe(true)
    expect(isAtLeast('analyst', 'analyst')).toBe(true)
    expect(isAtLeast('member', 'analyst')).toBe(false)
    expect(isAtLeast(undefined, 'member')).toBe(false)
  })

  it('are granted as the contract says', () => {
    expect(grantableRoles('member')).toEqual([])
    expect(grantableRoles('analyst')).toEqual(['member', 'analyst'])
    expect(grantableRoles('manager')).toEqual(['member', 'analyst', 'manager'])
    expect(grantableRoles('admin')).toEqual(['member', 'analyst', 'manager', 'admin'])
  })

  it('never let anyone grant, change or remove above their own', () => {
    fc.assert(
      fc.property(anyRole, anyRole, (actor, target) => {
        if (!isAtLeast(actor, target)) expect(canChangeMember(actor, target)).toBe(false)
        expect(grantableRoles(actor).every((role) => isAtLeast(actor, role))).toBe(true)
      }),
    )
    expect(canChangeMember('member', 'member')).toBe(false)
    expect(canChangeMember('admin', 'admin')).toBe(true)
  })
})
