import type { RecordDefinition } from './definition'
import { paid, seenAsPaid } from '#shared/records/settlement'

export const reimbursement = {
  table: 'reimbursements',
  subject: 'Reimbursement',
  segments: ['reimbursements', 'reimbursement'],
  attributes: {
    ...paid,
    // Its expenses are shown complete, as `expenses`; each expense has its `reimbursement_id`.
    expense_ids: { kind: 'ids', to: 'expenses', most: 1000, isNullable: true, writes: 'extension', isHidden: true },
  },
  references: {},
  link: { table: 'reimbursement_tags', owner: 'reimbursement_id', column: 'tag_id', to: 'tags', order: 'position' },
  counts: ['comments', 'activities'],
  visible: seenAsPaid,
  seenIn: 'reviews',
  namedOnly: {
    kept: ['id', 'uid', 'payer_id', 'receiver_id'],
    own: ['responsible_user_id'],
    rest: {
      attachments_count: 0,
      comments_count: 0,
      activities_count: 0,
      amount_minor: 1,
      amount_scaled: 0,
      currency: 'BRL',
      date: '1970-01-01T00:00:00Z',
    },
  },
  sync: { create: 'conditional', replace: 'conditional', update: 'conditional', destroy: 'conditional' },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'reimbursement', tells: 'money' },
  screen: '/reimbursements',
} as const satisfies RecordDefinition
