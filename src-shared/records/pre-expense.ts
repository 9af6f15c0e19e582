import type { RecordDefinition } from '#shared/records/definition'

export const preExpense = {
  table: 'pre_expenses',
  subject: 'PreExpense',
  segments: ['pre_expenses'],
  references: { receiver_id: { to: 'users', writtenAs: ['receiver', 'receiver_id'] }, author_id: { to: 'users' } },
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
