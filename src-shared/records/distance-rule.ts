import type { RecordDefinition } from './definition'

/** What an organization pays per unit of distance (contract 2.15), for trips from a day on. */
export const distanceRule = {
  table: 'distance_rules',
  // By hand: the amount, which is more precise than money, with its trail and default; and the identity, which is null in the default.
  attributes: {
    currency: { kind: 'currency', writes: 'optional' },
    distance_kind: { kind: 'choice', values: ['km', 'mi'], writes: 'optional' },
    // The day from which it applies, as its first instant; null: on all days.
    valid_from: { kind: 'instant', isNullable: true, writes: 'extension' },
    organization: { kind: 'party', of: 'Organization', isHidden: true },
  },
  references: {},
  visible: [{ in: 'member_of', column: 'organization_id' }],
  sync: { create: 'conditional' },
  isGuarded: true,
} as const satisfies RecordDefinition
