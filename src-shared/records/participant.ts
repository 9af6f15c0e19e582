import type { RecordDefinition } from '#shared/records/definition'
import { followable } from '#shared/records/followable'

/** Someone who takes part in a record. It has no attributes: it is who, and in what. */
export const participant = {
  table: 'participants',
  segments: ['participants'],
  references: { ...followable.references, user_id: { to: 'users' } },
  parents: followable.columns,
  visible: [{ seesParent: true }],
  seenIn: 'reviews',
  routes: ['expense_participants', 'reimbursement_participants', 'advancement_participants'],
  sync: { destroy: 'add' },
  isLeased: true,
} as const satisfies RecordDefinition
