import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A reviewer's decision that two expenses are not repeats. Its name is the reason; `user`: the reviewer. */
const attributes = {
  name: { kind: 'text', longest: 500, writes: 'required' },
  expense_id: { kind: 'record', to: 'expenses', writes: 'required', isUnaudited: true },
  other_expense_id: { kind: 'record', to: 'expenses', writes: 'required', isUnaudited: true },
  user: { kind: 'party', of: 'User', isUnaudited: true },
} as const satisfies Attributes

export const repeatDecision = {
  table: 'repeat_decisions',
  subject: 'RepeatDecision',
  segments: ['repeat_decisions'],
  attributes,
  references: {
    organization_id: { to: 'organizations' },
    // Meaningless without either of the two.
    expense_id: { to: 'expenses', writtenAs: ['expense_id'] },
    other_expense_id: { to: 'expenses', writtenAs: ['other_expense_id'] },
  },
  visible: [{ in: 'reviews', column: 'organization_id' }],
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'add' },
  isGuarded: true,
  isLeased: true,
  isInOrganization: true,
  wording: { key: 'repeat_decision', tells: 'text' },
} as const satisfies RecordDefinition
