import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type Action, may, permissions, type Relation } from '#shared/domain/permissions'
import { isAtLeast, roles } from '#shared/domain/roles'

const actions = Object.keys(permissions).filter((name): name is Action => name in permissions)
const anyAction = fc.constantFrom(...actions)
const anyRole = fc.constantFrom(undefined, ...roles)
const anyRelation = fc.record({
  role: anyRole,
  is_receiver: fc.boolean(),
  is_author: fc.boolean(),
  is_holder: fc.boolean(),
  is_participant: fc.boolean(),
})

const least = (action: Action) => roles.find((role) => may(action, { role }))

describe('permissions', () => {
  it('ask for the roles of the contract', () => {
    expect(least('organizations.delete')).toBe('admin')
    expect(least('distance_rules.write')).toBe('admin')
    expect(least('members.list')).toBe('member')
    expect(least('members.invite')).toBe('analyst')
    expect(least('tags.list')).toBe('member')
    expect(least('tags.show')).toBe('manager')
    expect(least('webhooks.manage')).toBe('manager')
    expect(least('expenses.create_for_others')).toBe('analyst')
    expect(least('reimbursements.read')).toBe('analyst')
    expect(least('reimbursements.write')).toBe('manager')
    expect(least('accountabilities.destroy')).toBe('manager')
  })

  it('let a receiver delete an advancement but not change it', () => {
    expect(may('advancements.destroy', { role: 'member', is_receiver: true })).toBe(true)
    expect(may('advancements.write', { role: 'member', is_receiver: true })).toBe(false)
  })

  it('let only its author change a comment, and an admin delete it too', () => {
    expect(may('comments.update', { role: 'admin' })).toBe(false)
    expect(may('comments.update', { role: undefined, is_author: true })).toBe(true)
    expect(may('comments.delete', { role: 'admin' })).toBe(true)
    expect(may('comments.delete', { role: 'manager' })).toBe(false)
  })

  it('give a receiver, an author or a participant without a role only what is listed for them', () => {
    const isToAnyone = (action: Action) => 'open' in permissions[action] || 'anyone' in permissions[action]
    const allowed = (relation: Partial<Relation>) =>
      actions.filter((action) => may(action, { role: undefined, ...relation }) && !isToAnyone(action))
    expect(allowed({})).toEqual([])
    // Who has left an organization keeps what they received, not what they took part in or held.
    expect(allowed({ is_participant: true, is_holder: true })).toEqual([])
    expect(allowed({ is_receiver: true })).toEqual([
      'expenses.read',
      'expenses.write',
      'expenses.move',
      'reimbursements.read',
      'advancements.read',
      'advancements.destroy',
      'balances.read',
      'accountabilities.read',
      'accountabilities.write',
      'accountabilities.move',
      'pre_expenses.read',
      'pre_expenses.write',
    ])
    expect(allowed({ is_author: true })).toEqual(['saved_views.write', 'comments.update', 'comments.delete'])
  })

  it('count participation and what one holds while one is a member', () => {
    const added = (relation: Partial<Relation>) =>
      actions.filter((action) => may(action, { role: 'member', ...relation }) && !may(action, { role: 'member' }))
    expect(added({ is_participant: true })).toEqual(['expenses.read', 'reimbursements.read', 'advancements.read'])
    expect(added({ is_holder: true })).toEqual([
      'accountabilities.read',
      'accountabilities.write',
      'accountabilities.move',
      'corporative_cards.read',
      'corporative_cards.write',
      'corporative_cards.destroy',
    ])
  })

  it('let any user create an organization', () => {
    expect(may('organizations.create', { role: undefined })).toBe(true)
  })

  it('are never lost by a higher role or a closer relation', () => {
    fc.assert(
      fc.property(anyAction, anyRelation, anyRelation, (action, a, b) => {
        const isCloser =
          (a.role === undefined || isAtLeast(b.role, a.role)) &&
          a.is_receiver <= b.is_receiver &&
          a.is_author <= b.is_author &&
          a.is_holder <= b.is_holder &&
          a.is_participant <= b.is_participant
        fc.pre(isCloser)
        if (may(action, a)) expect(may(action, b)).toBe(true)
      }),
    )
  })
})
