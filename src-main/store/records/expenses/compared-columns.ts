import { type RawBuilder, type SqlBool, sql } from 'kysely'
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

/** When an expense was recorded. */
export type Recorded = Pick<Candidate, 'id' | 'created_at'>

/**
 * Whether a row was recorded before an expense; of one second what has no number from the remote yet, -1, -2 …, comes last. What depends on these
 * alone is not changed by what is recorded later.
 */
export const isRecordedBefore = (p: (name: keyof Recorded) => RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const id = sql`cast(${p('id')} as bigint)`
  return sql<SqlBool>`(created_at, id < 0, abs(id)) < (${p('created_at')}, ${id} < 0, abs(${id}))`
}

/** The same of two that were read. */
export function wasRecordedBefore(one: Recorded, other: Recorded): boolean {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at
  return one.id < 0 === other.id < 0 ? Math.abs(one.id) < Math.abs(other.id) : other.id < 0
}
