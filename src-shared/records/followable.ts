import type { Reference } from '#shared/records/definition'

/** The records that can be commented on and followed, as columns of dependent records: exactly one is set. */
export const followable = {
  columns: ['expense_id', 'reimbursement_id', 'advancement_id'],
  references: {
    expense_id: { to: 'expenses' },
    reimbursement_id: { to: 'reimbursements' },
    advancement_id: { to: 'advancements' },
  } satisfies Readonly<Record<string, Reference>>,
} as const
