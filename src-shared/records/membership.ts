import { roles } from '#shared/domain/roles'
import type { RecordDefinition } from './definition'

/** A user's membership in an organization (contract 2.13). */
export const membership = {
  table: 'memberships',
  subject: 'Membership',
  // By hand: the body of a change, in which a blank role counts as absent; the complete user and organization.
  attributes: {
    user: { kind: 'party', of: 'User', isFiltered: true, isHidden: true },
    role: { kind: 'choice', values: roles, wordedAs: 'role', writes: 'required', isFiltered: true },
    organization: { kind: 'party', of: 'Organization', isHidden: true },
  },
  references: {
    organization_id: { to: 'organizations', writtenAs: ['organization_id'] },
    user_id: { to: 'users', writtenAs: ['user_id'] },
  },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  sync: 'forward',
} as const satisfies RecordDefinition
