import type { RecordDefinition } from '#shared/records/definition'

export const organization = {
  table: 'organizations',
  subject: 'Organization',
  segments: ['organizations', 'organization'],
  references: {},
  files: ['logo_sha256'],
  visible: [{ in: 'member_of', column: 'id' }],
  trail: { in: 'reviews', column: 'id' },
  isSharedInPart: true,
  keepsName: true,
  namedOnly: { kept: ['id', 'uid', 'name'], rest: { restricted_tags: 0 } },
  sync: { create: 'forward', replace: 'merge', update: 'merge', destroy: 'forward' },
  isGuarded: true,
} as const satisfies RecordDefinition
