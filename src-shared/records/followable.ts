import type { Reference } from '#shared/records/definition'

/** What can be commented on and followed, as columns of what hangs on it: exactly one of them is set. */
export const followable = {
  columns: ['expense_id', 'reimbursement_id', 'advancement_id'],
  references: {
    expense_id: { to: 'expenses' },
    reimbursement_id: { to: 'reimbursements' },
    advancement_id: { to: 'advancements' },
  } satisfies Readonly<Record<string, Reference>>,
} as const
