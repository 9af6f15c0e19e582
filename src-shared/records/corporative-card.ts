import type { RecordDefinition } from '#shared/records/definition'

export const corporativeCard = {
  table: 'corporative_cards',
  subject: 'CorporativeCard',
  segments: ['corporative_cards', 'corporative_card'],
  references: { organization_id: { to: 'organizations' }, user_id: { to: 'users' } },
  visible: [
    { in: 'manages', column: 'organization_id' },
    // Rows are read in the order of their ids: a second index would be in the way.
    { all: [{ own: 'user_id' }, { in: 'holds', column: 'organization_id', isFilter: true }] },
  ],
  seenIn: 'manages',
  isSharedInPart: true,
  namedOnly: {
    kept: ['id', 'uid', 'organization_id'],
    own: ['user_id'],
    rest: {
      ...{ name: '', number_length: 16, number_last4: '', number_hmac: '', flag: 'unknown', active: 0 },
      ...{ expiration_month: 1, expiration_year: 2000 },
    },
    isDeleted: true,
  },
  sync: 'forward',
} as const satisfies RecordDefinition
