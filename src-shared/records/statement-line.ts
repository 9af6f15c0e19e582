import { lineKinds } from '#shared/domain/statements/lines'
import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/**
 * A line of a company card's statement. Its name is the bank's text; spent amounts are positive, returned ones negative; `user` is the card's holder.
 * By hand: the amounts with their currencies.
 */
const attributes = {
  name: { kind: 'text', longest: 500, writes: 'required', isFiltered: true },
  corporative_card_id: { kind: 'record', to: 'corporative_cards', writes: 'required', isFiltered: true },
  occurred_at: { kind: 'instant', writes: 'required', isFiltered: true },
  amount: { kind: 'amount', currency: 'currency', writes: 'required', isFiltered: true },
  currency: { kind: 'currency', writes: 'required', isFiltered: true },
  // The bank's identity of it, or its day, amount and text with a number among equals: `domain/statements/known-lines`.
  external_id: { kind: 'text', longest: 255, writes: 'required', isFiltered: true, isUnaudited: true },
  line_kind: { kind: 'choice', values: lineKinds, initial: 'charge', writes: 'extension', isFiltered: true },
  // The foreign amount, and the bank's rate: the line's currency per unit of the other.
  original_amount: { kind: 'amount', currency: 'original_currency', isNullable: true, writes: 'extension' },
  original_currency: { kind: 'currency', isNullable: true, writes: 'extension' },
  rate: { kind: 'number', min: 0, max: 1_000_000_000, writes: 'extension' },
  // Why it has no expense.
  reason: { kind: 'text', longest: 500, writes: 'extension', isFiltered: true },
  pre_expense_id: { kind: 'record', to: 'pre_expenses', isUnaudited: true },
  user: { kind: 'party', of: 'User', isUnaudited: true },
} as const satisfies Attributes

export const statementLine = {
  table: 'statement_lines',
  subject: 'StatementLine',
  segments: ['statement_lines'],
  attributes,
  references: {
    organization_id: { to: 'organizations' },
    // Meaningless without its card.
    corporative_card_id: { to: 'corporative_cards', writtenAs: ['corporative_card_id'] },
  },
  // Visible like its card.
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
  wording: { key: 'statement_line', tells: 'text' },
} as const satisfies RecordDefinition
