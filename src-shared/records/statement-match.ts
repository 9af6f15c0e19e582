import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A match of an expense with a card statement line. Its name is the line's, or a note; `user` is the card's holder. */
const attributes = {
  name: { kind: 'text', longest: 500, writes: 'extension' },
  statement_line_id: { kind: 'record', to: 'statement_lines', writes: 'required', isFiltered: true, isUnaudited: true },
  expense_id: { kind: 'record', to: 'expenses', writes: 'required', isFiltered: true, isUnaudited: true },
  // The values that the expense got from the line, as JSON: undoing the match removes them.
  filled: { kind: 'text', isUnaudited: true },
  user: { kind: 'party', of: 'User', isUnaudited: true },
} as const satisfies Attributes

export const statementMatch = {
  table: 'statement_matches',
  subject: 'StatementMatch',
  segments: ['statement_matches'],
  attributes,
  references: {
    organization_id: { to: 'organizations' },
    // Meaningless without either of the two.
    statement_line_id: { to: 'statement_lines', writtenAs: ['statement_line_id'] },
    expense_id: { to: 'expenses', writtenAs: ['expense_id'] },
  },
  // Visible like its line.
  visible: [
    { all: [{ in: 'manages', column: 'organization_id' }] },
    { all: [{ own: 'user_id' }, { in: 'holds', column: 'organization_id', isFilter: true }] },
  ],
  seenIn: 'manages',
  trail: { in: 'manages', column: 'organization_id' },
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'add' },
  isGuarded: true,
  isLeased: true,
  isInOrganization: true,
  wording: { key: 'statement_match', tells: 'text' },
} as const satisfies RecordDefinition
