import type { ReplicaOperation } from '#shared/contract/instance/replica'
import { isCurrency } from '#shared/domain/currencies'
import { parseAmount } from '#shared/domain/money'
import { parseInstant } from '#shared/domain/dates'
import { expenseStatuses } from '#shared/domain/expense-status'
import type { ShownValue } from '../../ui/values/value-text'

type Difference = NonNullable<ReplicaOperation['answer']>['differences'][number]
type Side = 'base' | 'mine' | 'theirs'

/** One attribute as it was seen, as the person wanted it, and its current value. */
export type DifferenceLine = { readonly attribute: string } & Readonly<Record<Side, ShownValue>>

/** Amounts, and the attribute that holds their currency. */
const currencyOf: Readonly<Record<string, string>> = { amount: 'currency', approved_amount: 'approved_amount_currency' }

/** Attributes that only a map would show, or that say what another one says. */
const unshown = new Set([
  ...['latitude', 'longitude', 'origin_latitude', 'origin_longitude', 'destination_latitude', 'destination_longitude'],
  ...['responsible_user', 'attachments', 'expired'],
])

const none: ShownValue = { kind: 'none' }

/**
 * Differences for reading: an amount and its currency are one line, the currency taken from `seen` where it has not changed;
 * statuses, days and people as what they are.
 */
export function toDifferenceLines(differences: readonly Difference[], seen: Readonly<Record<string, unknown>>): DifferenceLine[] {
  const joined = new Set(differences.flatMap(({ attribute }) => currencyOf[attribute] ?? []))
  return differences
    .filter((difference) => !joined.has(difference.attribute) && !unshown.has(difference.attribute))
    .filter((difference) => differs(difference) || differs(differences.find(isCurrencyOf(difference))))
    .map((difference) => {
      const { attribute } = difference
      const money = differences.find((other) => other.attribute === currencyOf[attribute])
      const valueOf = (side: Side) => {
        const currency = money ? money[side] : seen[currencyOf[attribute] ?? '']
        return toValue(attribute, difference[side], currency ?? seen.currency)
      }
      return { attribute, base: valueOf('base'), mine: valueOf('mine'), theirs: valueOf('theirs') }
    })
}

const isCurrencyOf = (of: Difference) => (other: Difference) => other.attribute === currencyOf[of.attribute]

/** One unit is shown whole; its unchanged part is left out. */
function differs(difference: Difference | undefined): boolean {
  if (!difference) return false
  const [base, mine, theirs] = [difference.base, difference.mine, difference.theirs].map((value) => JSON.stringify(value ?? null))
  return base !== theirs || (mine !== base && mine !== 'null')
}

function toValue(attribute: string, value: unknown, currency: unknown): ShownValue {
  if (value === null || value === undefined || value === '') return none
  if (typeof value === 'boolean') return { kind: 'flag', flag: value }
  const isMoney = Object.hasOwn(currencyOf, attribute) && typeof value === 'number'
  if (isMoney && typeof currency === 'string' && isCurrency(currency)) {
    // A rate may have more decimals than its currency: they are not rounded away.
    const isRate = parseAmount(value, currency).kind === 'too_precise'
    return isRate ? { kind: 'text', text: `${value} ${currency}` } : { kind: 'money', amount: value, currency }
  }
  if (typeof value !== 'string') return toText(value)
  const status = attribute === 'status' ? expenseStatuses.find((known) => known === value) : undefined
  if (status !== undefined) return { kind: 'status', status }
  const instant = attribute.endsWith('_at') || attribute === 'date' ? parseInstant(value) : undefined
  return instant === undefined ? { kind: 'text', text: value } : { kind: 'instant', instant }
}

/** People and organizations by their name, lists by their content. */
function toText(value: unknown): ShownValue {
  if (Array.isArray(value)) {
    const text = value.map((part) => plain(toText(part))).join(', ')
    return text === '' ? none : { kind: 'text', text }
  }
  if (typeof value !== 'object' || value === null) return { kind: 'text', text: String(value) }
  const name = 'name' in value ? value.name : 'title' in value ? value.title : undefined
  return { kind: 'text', text: typeof name === 'string' ? name : JSON.stringify(value) }
}

function plain(value: ShownValue): string {
  return value.kind === 'text' ? value.text : ''
}
