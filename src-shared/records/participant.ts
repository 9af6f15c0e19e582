import type { RecordDefinition } from './definition'
import { followable } from './comment'

/** A participant of a record. The contract shows the user, and no request writes one. */
export const participant = {
  table: 'participants',
  segments: ['participants'],
  attributes: { user: { kind: 'party', of: 'User', isHidden: true } },
  references: followable.references,
  parents: followable.columns,
  visible: [{ seesParent: true }],
  seenIn: 'reviews',
  routes: ['expense_participants', 'reimbursement_participants', 'advancement_participants'],
  sync: { destroy: 'add' },
  isLeased: true,
} as const satisfies RecordDefinition
