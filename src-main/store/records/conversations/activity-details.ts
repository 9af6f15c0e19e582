import type { ActivityEvent } from '#shared/domain/activity-events'
import { type Attributes, type ColumnsOf, attributesWith } from '#shared/records/attributes'
import { type ActivityAttribute, activityAttributeOf } from '#shared/records/audited'
import { columnsOf, shownValue } from '#shared/records/columns'
import type { SharedSubject } from '#shared/records/index'

/** An attribute's old and new value as the audit trail stores it. Amounts are JSON numbers in major units. */
export interface ActivityDetail {
  readonly attribute: ActivityAttribute
  readonly from: string | number | boolean | null
  readonly to: string | number | boolean | null
  /** The currency of an amount, if it has no detail itself because it did not change. */
  readonly currency?: string
}

/** The kind of record that an activity is about. */
export type SubjectType = SharedSubject | 'Webhook'

/** A change as the audit trail stores it (supplement, "Activities"). */
export interface NewActivity {
  readonly organization_id: number | null
  readonly subject: { readonly type: SubjectType; readonly id: number }
  /** The comment or attachment that caused the activity; absent for a change of the subject itself. */
  readonly source?: { readonly type: 'Comment' | 'Attachment'; readonly id: number }
  /** The event: `expense_created`, `comment_created`, …. Its sentence is made when it is read. */
  readonly event: ActivityEvent
  readonly details?: readonly ActivityDetail[]
}

/** Old and new values of the attributes that differ, for the audit trail. */
export function toActivityDetails<R extends object, K extends keyof R & ActivityAttribute>(
  before: R,
  after: R,
  attributes: readonly K[],
): ActivityDetail[] {
  return attributes
    .filter((attribute) => before[attribute] !== after[attribute])
    .map((attribute) => ({ attribute, from: toPlain(before[attribute]), to: toPlain(after[attribute]) }))
}

/** The columns of a record's attributes; empty if there was no record. */
type Cells<A extends Attributes> = Readonly<Partial<Record<keyof ColumnsOf<A>, unknown>>>

/** Old and new values of all writable attributes that differ. Tags are not columns and not included. */
export function writtenDetails<A extends Attributes>(attributes: A, before: Cells<A>, after: Cells<A>): ActivityDetail[] {
  const old: Readonly<Record<string, unknown>> = before
  const now: Readonly<Record<string, unknown>> = after
  return attributesWith(attributes, 'writes').flatMap(([name, attribute]) => {
    const currencyColumn = attribute.kind === 'amount' ? attribute.currency : undefined
    // The same number in another currency is another amount.
    const columns = [...columnsOf(name, attribute), ...(currencyColumn === undefined ? [] : [currencyColumn])]
    if (attribute.isUnaudited || columns.every((column) => (old[column] ?? null) === (now[column] ?? null))) return []
    const currency = currencyColumn === undefined ? undefined : now[currencyColumn]
    const from = shownValue(name, attribute, old)
    const to = shownValue(name, attribute, now)
    const detail = { attribute: activityAttributeOf(name, attribute), from, to }
    return [typeof currency === 'string' ? { ...detail, currency } : detail]
  })
}

function toPlain(value: unknown): ActivityDetail['from'] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
