import { accountabilityStatuses } from '#shared/domain/accountability-status'
import type { RecordDefinition } from './definition'

/** The most expenses of an accountability: finishing it settles them all at once. */
export const mostExpenses = 1000

/** An accountability (contract 2.7). */
export const accountability = {
  table: 'accountabilities',
  subject: 'Accountability',
  segments: ['accountabilities', 'accountability'],
  attributes: {
    title: { kind: 'text', writes: 'required', isFiltered: true },
    description: { kind: 'text', writes: 'optional' },
    payer: { kind: 'party', of: 'Organization', writes: 'required', isFiltered: true, mergeGroup: 'parties' },
    receiver: { kind: 'party', of: 'User', writes: 'required', isFiltered: true, mergeGroup: 'parties' },
    expense_ids: { kind: 'ids', to: 'expenses', most: mostExpenses, writes: 'optional' },
    status: { kind: 'choice', values: accountabilityStatuses, initial: 'opened', wordedAs: 'status', isFiltered: true },
    // The creator.
    responsible_user: { kind: 'party', of: 'User', column: 'author_id' },
  },
  references: {},
  link: {
    table: 'accountability_expenses',
    owner: 'accountability_id',
    column: 'expense_id',
    to: 'expenses',
    order: 'expense_id',
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
