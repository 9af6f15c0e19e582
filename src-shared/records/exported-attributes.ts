import { attributesWith } from '#shared/records/attributes'
import { expense } from '#shared/records/expense'

/** The columns of an exported table whose positions scripts rely on. */
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

/** Later attributes: their columns come last. */
export const exportedLater = attributesWith(expense.attributes, 'isExported').filter(
  ([name]) => !exportedInPlace.some((known) => known === name),
)

/** The columns of an exported table, in order. */
export const exportedColumns: readonly string[] = [...exportedInPlace, ...exportedLater.map(([name]) => name)]

/** The columns with instants. */
export const exportedInstants: ReadonlySet<string> = new Set(
  attributesWith(expense.attributes, 'isExported').flatMap(([name, { kind }]) => (kind === 'instant' ? [name] : [])),
)

/** What a profile can write of an expense: its columns and its booking's values. */
export const profileAttributes: readonly string[] = [
  ...exportedColumns,
  ...['counted_amount', 'counted_currency', 'first_tag', 'booked_against', 'settled_by'],
]
