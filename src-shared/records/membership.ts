import type { RecordDefinition } from '#shared/records/definition'

export const membership = {
  table: 'memberships',
  subject: 'Membership',
  references: {
    organization_id: { to: 'organizations', writtenAs: ['organization_id'] },
    user_id: { to: 'users', writtenAs: ['user_id'] },
  },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  sync: 'forward',
} as const satisfies RecordDefinition
