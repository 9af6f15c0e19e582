import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A named view of Review. `query`: the part of its address after the question mark; `user`: its author. */
const attributes = {
  name: { kind: 'text', longest: 80, writes: 'required', isFiltered: true },
  query: { kind: 'text', longest: 4000, writes: 'required' },
  // If false, only the author sees the view, whatever others' roles.
  is_shared: { kind: 'flag', writes: 'extension' },
  user: { kind: 'party', of: 'User', isUnaudited: true },
} as const satisfies Attributes

export const savedView = {
  table: 'saved_views',
  subject: 'SavedView',
  segments: ['saved_views'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  visible: [
    { all: [{ in: 'member_of', column: 'organization_id' }, { own: 'user_id' }] },
    { all: [{ in: 'member_of', column: 'organization_id' }, { flagged: 'is_shared' }] },
  ],
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'add' },
  isGuarded: true,
  isLeased: true,
  isInOrganization: true,
  wording: { key: 'saved_view', tells: 'text' },
} as const satisfies RecordDefinition
