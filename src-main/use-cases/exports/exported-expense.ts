import type { Row } from '#db/schema'
import { fromMinor } from '#shared/domain/money'
import { shownValue } from '#shared/records/columns'
import { exportedLater } from '#shared/records/exported-attributes'
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
    ...Object.fromEntries(exportedLater.map(([name, attribute]) => [name, shownValue(name, attribute, { ...expense })])),
  }
}

/** How much an expense counts for, in minor units: the approved amount, or the claimed one while none is approved. */
export function countedMinor(expense: Row<'expenses'>): { readonly amount_minor: number; readonly currency: string } {
  const { amount_minor, currency, approved_amount_minor, approved_amount_currency } = expense
  return approved_amount_minor === null || approved_amount_currency === null
    ? { amount_minor, currency }
    : { amount_minor: approved_amount_minor, currency: approved_amount_currency }
}
