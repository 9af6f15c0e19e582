import type { RecordDefinition } from '#shared/records/definition'

export const distanceRule = {
  table: 'distance_rules',
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  sync: { create: 'conditional' },
  isGuarded: true,
} as const satisfies RecordDefinition
