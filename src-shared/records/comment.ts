import type { RecordDefinition, Reference } from './definition'

/** The records that can be commented on and followed, as columns of dependent records: exactly one is set. */
export const followable = {
  columns: ['expense_id', 'reimbursement_id', 'advancement_id'],
  references: {
    expense_id: { to: 'expenses' },
    reimbursement_id: { to: 'reimbursements' },
    advancement_id: { to: 'advancements' },
  } satisfies Readonly<Record<string, Reference>>,
} as const

/** A comment (contract 2.11). */
export const comment = {
  table: 'comments',
  segments: ['comments'],
  // By hand: its mentions and rendered text, and the complete representation of its author.
  attributes: { content: { kind: 'text', longest: 10_000, writes: 'required' }, user: { kind: 'party', of: 'User', isHidden: true } },
  references: followable.references,
  parents: followable.columns,
  link: { table: 'comment_mentions', owner: 'comment_id', column: 'user_id', to: 'users', order: 'user_id', isPartlySeen: true },
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
