import type { RecordDefinition } from '#shared/records/definition'

/** A receipt of an expense. Not by attribute: all but the description is what its file says. */
export const attachment = {
  table: 'attachments',
  segments: ['attachments'],
  references: { expense_id: { to: 'expenses', writtenAs: ['expense_id'] }, user_id: { to: 'users' } },
  files: ['sha256'],
  parents: ['expense_id'],
  visible: [{ seesParent: true }],
  seenIn: 'reviews',
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'add' },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'receipt', tells: 'file' },
} as const satisfies RecordDefinition
