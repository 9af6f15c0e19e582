import type { Activity } from '#shared/contract/activities'
import { isCurrency } from '#shared/domain/currencies'
import { expenseStatuses } from '#shared/domain/expense-status'
import { parseInstant } from '#shared/domain/dates'
import type { ShownValue } from '../../ui/values/value-text'

type Detail = Activity['details'][number]
type Raw = Detail['from']

/** One attribute's old and new value. */
export type ActivityLine = { readonly attribute: string; readonly from: ShownValue; readonly to: ShownValue }

/** Amounts, and the attribute that holds their currency. */
const currencyOf: Readonly<Record<string, string>> = { amount: 'currency', approved_amount: 'approved_amount_currency' }

const none: ShownValue = { kind: 'none' }

/**
 * The old and new values of an activity for reading: an amount with its currency (`currency`: the record's, if the
 * activity names none), statuses, days and booleans formatted. A currency that goes with an amount has no separate
 * line.
 */
export function toActivityLines(details: readonly Detail[], currency: string): ActivityLine[] {
  const amounts = details.filter(({ attribute }) => Object.hasOwn(currencyOf, attribute))
  const joined = new Set(amounts.map(({ attribute }) => currencyOf[attribute]))
  return details
    .filter(({ attribute }) => !joined.has(attribute))
    .map((detail) => {
      const money = details.find(({ attribute }) => attribute === currencyOf[detail.attribute])
      return {
        attribute: detail.attribute,
        from: toValue(detail.attribute, detail.from, textOf(money?.from) ?? currency),
        to: toValue(detail.attribute, detail.to, textOf(money?.to) ?? currency),
      }
    })
}

function textOf(value: Raw | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function toValue(attribute: string, value: Raw, currency: string): ShownValue {
  if (value === null || value === '') return none
  if (typeof value === 'boolean') return { kind: 'flag', flag: value }
  if (Object.hasOwn(currencyOf, attribute) && typeof value === 'number' && isCurrency(currency))
    return { kind: 'money', amount: value, currency }
  const status = attribute === 'status' ? expenseStatuses.find((known) => known === value) : undefined
  if (status !== undefined) return { kind: 'status', status }
  const instant = attribute.endsWith('_at') || attribute === 'date' ? parseInstant(value) : undefined
  return instant === undefined ? { kind: 'text', text: String(value) } : { kind: 'instant', instant }
}
