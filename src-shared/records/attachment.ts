import type { RecordDefinition } from './definition'

/** A receipt of an expense (contract 2.9). */
export const attachment = {
  table: 'attachments',
  segments: ['attachments'],
  // By hand: the file with its metadata, and the complete representation of its author.
  attributes: { description: { kind: 'text', writes: 'optional' }, user: { kind: 'party', of: 'User', isHidden: true } },
  references: { expense_id: { to: 'expenses', writtenAs: ['expense_id'] } },
  files: ['sha256'],
  parents: ['expense_id'],
  visible: [{ seesParent: true }],
  seenIn: 'reviews',
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'add' },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'receipt', tells: 'file' },
} as const satisfies RecordDefinition
