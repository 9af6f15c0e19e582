import type { RecordDefinition } from '#shared/records/definition'
import { followable } from '#shared/records/followable'

export const comment = {
  table: 'comments',
  segments: ['comments'],
  references: { ...followable.references, user_id: { to: 'users' } },
  parents: followable.columns,
  link: {
    table: 'comment_mentions',
    owner: 'comment_id',
    column: 'user_id',
    to: 'users',
    order: 'user_id',
    isPartlySeen: true,
  },
  visible: [{ seesParent: true }],
  seenIn: 'reviews',
  isSharedInPart: true,
  isShownDeleted: true,
  routes: ['expense_comments', 'reimbursement_comments', 'advancement_comments'],
  sync: { create: 'add', update: 'merge', destroy: 'add' },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'comment', tells: 'text' },
} as const satisfies RecordDefinition
