import type { RecordDefinition } from '#shared/records/definition'

export const tag = {
  table: 'tags',
  subject: 'Tag',
  segments: ['tags'],
  references: { organization_id: { to: 'organizations' } },
  link: {
    table: 'tag_restrictions',
    owner: 'tag_id',
    column: 'user_id',
    to: 'users',
    order: 'user_id',
    writtenAs: 'restricted_user_ids',
    isPartlySeen: true,
  },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  namedOnly: { kept: ['id', 'uid', 'organization_id', 'name', 'name_key', 'deleted_at'] },
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'conditional' },
  isGuarded: true,
  isLeased: true,
  isInOrganization: true,
  wording: { key: 'tag', tells: 'text' },
  screen: '/tags',
} as const satisfies RecordDefinition
