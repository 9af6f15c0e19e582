import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'

/** The columns by which expenses are compared to find repeats. */
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

/** The compared columns of an expense. */
export type Compared = Pick<Row<'expenses'>, (typeof comparedColumns)[number]>
/** An expense that is compared with another. */
export type Candidate = Compared & Pick<Row<'expenses'>, 'id' | 'created_at' | 'attachments_count'>

/** The columns that are read of compared expenses. */
export const candidateColumns = [...comparedColumns, 'id', 'created_at', 'attachments_count'] as const

/** When an expense was recorded. */
export type Recorded = Pick<Candidate, 'id' | 'created_at'>

/**
 * Whether a row was recorded before an expense. Among rows of the same second, those without a number from the remote (-1, -2 …) come last. Results
 * that use only earlier rows never change when later ones are recorded.
 */
export const isRecordedBefore = (p: (name: keyof Recorded) => RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const id = sql`cast(${p('id')} as bigint)`
  return sql<SqlBool>`(created_at, id < 0, abs(id)) < (${p('created_at')}, ${id} < 0, abs(${id}))`
}

/** {@link isRecordedBefore} for two loaded rows. */
export function wasRecordedBefore(one: Recorded, other: Recorded): boolean {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at
  return one.id < 0 === other.id < 0 ? Math.abs(one.id) < Math.abs(other.id) : other.id < 0
}
