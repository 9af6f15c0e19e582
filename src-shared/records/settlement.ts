import type { Attributes } from '#shared/records/attributes'

const amount = { kind: 'amount', currency: 'currency', writes: 'required', isFiltered: true, mergeGroup: 'money' } as const
const currency = { kind: 'currency', writes: 'optional', isFiltered: true, mergeGroup: 'money' } as const
const date = { kind: 'instant', writes: 'required', isFiltered: true } as const

const handed = {
  date,
  payer: { kind: 'party', of: 'Organization', writes: 'required', isFiltered: true, mergeGroup: 'parties' },
  receiver: { kind: 'party', of: 'User', writes: 'required', isFiltered: true, mergeGroup: 'parties' },
  // The person who recorded it.
  responsible_user: { kind: 'party', of: 'User', isFiltered: true },
} as const satisfies Attributes

/** Returned money (contract 2.5). */
export const returned = { amount, currency, ...handed } as const satisfies Attributes

/** Money that an organization pays to a user, as in reimbursements and advancements (contract 2.2, 2.4). */
export const paid = {
  amount,
  currency,
  description: { kind: 'text', writes: 'optional', isFiltered: true },
  ...handed,
  tags: { kind: 'tags', isList: true, writes: 'optional' },
} as const satisfies Attributes

/** Who sees a record with parties and participants: reviewers, the receiver and participants. */
export const seenAsPaid = [{ in: 'reviews', column: 'payer_id' }, { own: 'receiver_id' }, { isParticipant: true }] as const
