import type { RecordDefinition } from './definition'

/** A corporative card (contract 2.8). */
export const corporativeCard = {
  table: 'corporative_cards',
  subject: 'CorporativeCard',
  segments: ['corporative_cards', 'corporative_card'],
  // By hand: the number, of which only a hash and some digits are stored, with its flag; the expiration, which is two columns and one text; the
  // organization, which requests name by id.
  attributes: {
    name: { kind: 'text', writes: 'required', isFiltered: true },
    active: { kind: 'flag', writes: 'required', isFiltered: true },
    user: { kind: 'party', of: 'User' },
    organization: { kind: 'party', of: 'Organization', isFiltered: true },
  },
  references: {},
  visible: [
    { in: 'manages', column: 'organization_id' },
    // Rows are read by id: a second index would interfere.
    { all: [{ own: 'user_id' }, { in: 'holds', column: 'organization_id', isFilter: true }] },
  ],
  seenIn: 'manages',
  isSharedInPart: true,
  namedOnly: {
    kept: ['id', 'uid', 'organization_id'],
    own: ['user_id'],
    rest: {
      name: '',
      number_length: 16,
      number_last4: '',
      number_hmac: '',
      flag: 'unknown',
      active: 0,
      expiration_month: 1,
      expiration_year: 2000,
    },
    isDeleted: true,
  },
  sync: 'forward',
} as const satisfies RecordDefinition
