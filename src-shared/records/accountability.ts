import type { RecordDefinition } from '#shared/records/definition'
import { parties } from '#shared/records/settlement'

export const accountability = {
  table: 'accountabilities',
  subject: 'Accountability',
  segments: ['accountabilities', 'accountability'],
  references: { ...parties, author_id: { to: 'users' } },
  link: {
    table: 'accountability_expenses',
    owner: 'accountability_id',
    column: 'expense_id',
    to: 'expenses',
    order: 'expense_id',
    writtenAs: 'expense_ids',
    isPartlySeen: true,
  },
  counts: ['activities'],
  visible: [
    { in: 'reviews', column: 'payer_id' },
    { own: 'receiver_id' },
    { all: [{ own: 'author_id' }, { in: 'holds', column: 'payer_id' }] },
  ],
  seenIn: 'reviews',
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'conditional', 'status.update': 'conditional' },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'accountability', tells: 'text' },
  screen: '/accountabilities',
} as const satisfies RecordDefinition
