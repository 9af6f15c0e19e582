import type { Row } from '#db/schema'

/** The columns by which expenses are compared. */
export const comparedColumns = [
  'payer_id',
  'kind',
  'occurred_at',
  'amount_minor',
  'currency',
  'receiver_id',
  'description',
  'supplier_name',
  'supplier_tax_id',
] as const satisfies ReadonlyArray<keyof Row<'expenses'>>

/** What of an expense is compared. */
export type Compared = Pick<Row<'expenses'>, (typeof comparedColumns)[number]>
/** An expense that is compared with another. */
export type Candidate = Compared & Pick<Row<'expenses'>, 'id' | 'created_at' | 'attachments_count'>

/** What is read of expenses that are compared. */
export const candidateColumns = [...comparedColumns, 'id', 'created_at', 'attachments_count'] as const
