import { attributesWith } from '#shared/records/attributes'
import { expense } from '#shared/records/expense'

/** The columns of an exported table that scripts know by their place. */
export const exportedInPlace = [
  'external_id',
  'id',
  'organization',
  'receiver',
  'receiver_email',
  'occurred_at',
  'amount',
  'currency',
  'description',
  'tags',
  'location',
  'kind',
  'status',
  'approved_amount',
  'approved_amount_currency',
] as const

/** Attributes that came later: their columns come after the others. */
export const exportedLater = attributesWith(expense.attributes, 'isExported').filter(
  ([name]) => !exportedInPlace.some((known) => known === name),
)

/** The columns of an exported table, in their order. */
export const exportedColumns: readonly string[] = [...exportedInPlace, ...exportedLater.map(([name]) => name)]

/** The columns that hold moments. */
export const exportedInstants: ReadonlySet<string> = new Set(
  attributesWith(expense.attributes, 'isExported').flatMap(([name, { kind }]) => (kind === 'instant' ? [name] : [])),
)

/** What a profile can write of an expense: its columns, what it is booked with, and what a booking adds. */
export const profileAttributes: readonly string[] = [
  ...exportedColumns,
  ...['counted_amount', 'counted_currency', 'first_tag', 'booked_against', 'settled_by'],
]
