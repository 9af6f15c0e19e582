import type { RecordDefinition } from '#shared/records/definition'

/** What an organization pays per unit of distance (contract 2.15), for trips from a day on. */
export const distanceRule = {
  table: 'distance_rules',
  // By hand: the amount, which is finer than money, with the trail and the default that it has part in; and its identity, which is null in
  // the default.
  attributes: {
    currency: { kind: 'currency', writes: 'optional' },
    distance_kind: { kind: 'choice', values: ['km', 'mi'], writes: 'optional' },
    // The day from which it holds, as its first instant; null: on all days.
    valid_from: { kind: 'instant', isNullable: true, writes: 'extension' },
    organization: { kind: 'party', of: 'Organization', isHidden: true },
  },
  references: {},
  visible: [{ in: 'member_of', column: 'organization_id' }],
  sync: { create: 'conditional' },
  isGuarded: true,
} as const satisfies RecordDefinition
