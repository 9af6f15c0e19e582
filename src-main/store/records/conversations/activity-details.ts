import { type Attributes, type ColumnsOf, attributesWith } from '#shared/records/attributes'
import { type ActivityAttribute, activityAttributeOf } from '#shared/records/audited'
import { columnsOf, shownValue } from '#shared/records/columns'
import type { ActivityDetail } from './new-activity'

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
