import { maxTagName } from '#shared/domain/tags'
import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A tag (contract 2.10; `group` of supplement 2, "Tags"). `name_key` is its name without case. */
const attributes = {
  name: { kind: 'text', longest: maxTagName, writes: 'required', isFiltered: true },
  group: { kind: 'text', longest: 255, writes: 'extension', column: 'group_name' },
  // The users it is restricted to; shown only to some callers.
  restricted_user_ids: { kind: 'ids', to: 'users', most: 1000, isNullable: true, writes: 'extension', isHidden: true },
} as const satisfies Attributes

export const tag = {
  table: 'tags',
  subject: 'Tag',
  segments: ['tags'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  link: { table: 'tag_restrictions', owner: 'tag_id', column: 'user_id', to: 'users', order: 'user_id', isPartlySeen: true },
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
