import type { RecordDefinition } from './definition'

/** An organization (supplement 2). */
export const organization = {
  table: 'organizations',
  subject: 'Organization',
  segments: ['organizations', 'organization'],
  // By hand: `expired`, which stores since when, and which no request writes.
  attributes: {
    name: { kind: 'text', writes: 'required', isFiltered: true },
    restricted_tags: { kind: 'flag', writes: 'extension' },
    separate_approval: { kind: 'flag', writes: 'extension' },
    separate_payment: { kind: 'flag', writes: 'extension' },
    // How many years original files are kept; null: `defaultRetentionYears`.
    retention_years: { kind: 'count', min: 1, max: 100, writes: 'extension' },
    logo: { kind: 'image', writes: 'extension' },
  },
  references: {},
  visible: [{ in: 'member_of', column: 'id' }],
  trail: { in: 'reviews', column: 'id' },
  isSharedInPart: true,
  keepsName: true,
  namedOnly: { kept: ['id', 'uid', 'name'], rest: { restricted_tags: 0, separate_approval: 0, separate_payment: 0 } },
  sync: { create: 'forward', replace: 'merge', update: 'merge', destroy: 'forward' },
  isGuarded: true,
} as const satisfies RecordDefinition
