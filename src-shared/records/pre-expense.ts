import type { RecordDefinition } from './definition'

/** A pre-expense (contract 2.14). */
export const preExpense = {
  table: 'pre_expenses',
  subject: 'PreExpense',
  segments: ['pre_expenses'],
  // By hand: `extra_information`, which is any JSON, and `tags`, which are one text until an organization is known.
  attributes: {
    description: { kind: 'text', writes: 'optional', isFiltered: true },
    amount: { kind: 'amount', currency: 'currency', isNullable: true, writes: 'optional', isFiltered: true },
    currency: { kind: 'currency', isNullable: true, writes: 'optional', isFiltered: true },
    occurred_at: { kind: 'instant', isNullable: true, writes: 'optional', isFiltered: true },
    receiver: { kind: 'party', of: 'User', writes: 'optional' },
    tags: { kind: 'tags', writes: 'optional' },
    external_id: { kind: 'text', longest: 255, writes: 'optional', isFiltered: true, isUnaudited: true },
    ignored_at: { kind: 'instant', isNullable: true, isUnaudited: true },
    converted_at: { kind: 'instant', isNullable: true, isUnaudited: true },
    author: { kind: 'party', of: 'User', isHidden: true },
  },
  references: {},
  visible: [{ own: 'receiver_id' }],
  namedOnly: {
    kept: ['id', 'uid'],
    own: ['receiver_id', 'author_id'],
    rest: { tags: '', extra_information: '{}', converted_at: '1970-01-01T00:00:00Z' },
    isDeleted: true,
  },
  sync: {
    create: 'add',
    ignore: 'conditional',
    restore: 'conditional',
    restore_by_put: 'conditional',
    convert: 'conditional',
    destroy: 'conditional',
  },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'preExpense', tells: 'text' },
  screen: '/pre-expenses',
} as const satisfies RecordDefinition
