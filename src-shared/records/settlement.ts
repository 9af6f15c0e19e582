import type { Reference } from '#shared/records/definition'

/** The parties of what an organization pays: an expense, a reimbursement, an advancement, an accountability. */
export const parties = {
  payer_id: { to: 'organizations', writtenAs: ['payer', 'payer_id'] },
  receiver_id: { to: 'users', writtenAs: ['receiver', 'receiver_id'] },
} as const satisfies Readonly<Record<string, Reference>>

/** The parties of a reimbursement, an advancement or a return, and who recorded it. */
export const settlementReferences = {
  ...parties,
  responsible_user_id: { to: 'users' },
} as const satisfies Readonly<Record<string, Reference>>

/** Who sees a record with parties that others can take part in: reviewers, the receiver and participants. */
export const seenAsPaid = [{ in: 'reviews', column: 'payer_id' }, { own: 'receiver_id' }, { isParticipant: true }] as const
