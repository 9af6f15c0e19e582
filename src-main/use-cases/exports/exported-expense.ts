import type { Row } from '#db/schema'
import { fromMinor } from '#shared/domain/money'
import { attributesWith } from '#shared/records/attributes'
import { shownValue } from '#shared/records/columns'
import { expense as definition } from '#shared/records/expense'
import { toTagCell } from '#main/tables/tag-cell'
import type { ExportRow } from './export-rows'

/** An expense as a file states it; the names are those by which an import recognises its columns again. */
export interface ExportedExpense extends Readonly<Record<string, string | number | boolean | null>> {
  readonly external_id: string
  readonly id: number
  readonly organization: string
  readonly receiver: string
  readonly receiver_email: string | null
  readonly occurred_at: string
  readonly amount: number
  readonly currency: string
  readonly description: string | null
  readonly tags: string
  readonly location: string | null
  readonly kind: string
  readonly status: string
  readonly approved_amount: number | null
  readonly approved_amount_currency: string | null
}

/** The columns that scripts know by their place. */
const inPlace = [
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
] as const satisfies ReadonlyArray<keyof ExportedExpense>

/** Attributes that came later: their columns come after the others. */
const added = attributesWith(definition.attributes, 'isExported').filter(([name]) => !inPlace.some((known) => known === name))

/** The columns of an exported table, in their order. */
export const exportedColumns: readonly string[] = [...inPlace, ...added.map(([name]) => name)]

/** The claimed or approved amount in major units; null where there is none. */
function major(minor: number | null, currency: string | null): number | null {
  return minor === null || currency === null ? null : fromMinor(minor, currency)
}

/** What a table says of an expense. */
export function toExported({ expense, external_id, organization, receiver, receiver_email, tags }: ExportRow): ExportedExpense {
  const { approved_amount_currency } = expense
  return {
    external_id,
    id: expense.id,
    organization,
    receiver,
    receiver_email,
    occurred_at: expense.occurred_at,
    amount: fromMinor(expense.amount_minor, expense.currency),
    currency: expense.currency,
    description: expense.description,
    tags: toTagCell(tags),
    location: expense.location,
    kind: expense.kind,
    status: expense.status,
    approved_amount: major(expense.approved_amount_minor, approved_amount_currency),
    approved_amount_currency,
    ...Object.fromEntries(added.map(([name, attribute]) => [name, shownValue(name, attribute, { ...expense })])),
  }
}

/** How much an expense counts for, in minor units: the approved amount, or the claimed one while none is approved. */
export function countedMinor(expense: Row<'expenses'>): { readonly amount_minor: number; readonly currency: string } {
  const { amount_minor, currency, approved_amount_minor, approved_amount_currency } = expense
  return approved_amount_minor === null || approved_amount_currency === null
    ? { amount_minor, currency }
    : { amount_minor: approved_amount_minor, currency: approved_amount_currency }
}
