import { monthPattern } from '#shared/domain/closing/months'
import { perName } from '#shared/contract/attributes'
import { handedOverChoices } from '#shared/contract/filters'
import { parseInstant } from '#shared/domain/dates'
import { isCurrency } from '#shared/domain/currencies'
import { expenseStatuses } from '#shared/domain/expense-status'
import { decimalToScaled } from '#shared/domain/money'
import { blockingLevel } from '#shared/domain/policies'
import { noFinding } from '#shared/domain/review-queues'
import { plainFields } from '#shared/records/expense'
import type { ExpenseFilter } from '../../api/expenses'

/** How the value of a filter is typed and read. */
export type TermKind =
  | 'handed_over'
  | ('flag_level' | 'flag' | 'policy' | 'has_receipt' | 'card' | 'responsible' | 'month')
  | 'receiver'
  | 'tag'
  | 'has_tag'
  | 'amount'
  | 'currency'
  | 'day'
  | 'status'
  | 'kind'
  | 'supplier'
  | 'name'
  | 'text'

/** How a filter compares: the words of its chip. `from` and `to` take in the value itself. */
export type TermOperator = 'is' | 'is_not' | 'above' | 'from' | 'below' | 'to' | 'contains' | 'starts'

/** What can be filtered by, in the order of the menu, with the ways each compares; the first is the usual one. */
export const filterAttributes = {
  receiver: { kind: 'receiver', operators: ['is', 'is_not'] },
  tag: { kind: 'tag', operators: ['is'] },
  amount: { kind: 'amount', operators: ['above', 'from', 'is', 'to', 'below'] },
  approved_amount: { kind: 'amount', operators: ['above', 'from', 'is', 'to', 'below'] },
  occurred_at: { kind: 'day', operators: ['from', 'is', 'to'] },
  created_at: { kind: 'day', operators: ['from', 'is', 'to'] },
  description: { kind: 'text', operators: ['contains', 'starts'] },
  ...perName(plainFields, () => ({ kind: 'text', operators: ['contains', 'starts'] }) as const),
  supplier_name: { kind: 'name', operators: ['is', 'contains', 'starts'] },
  supplier: { kind: 'supplier', operators: ['is'] },
  currency: { kind: 'currency', operators: ['is', 'is_not'] },
  counted_currency: { kind: 'currency', operators: ['is'] },
  status: { kind: 'status', operators: ['is', 'is_not'] },
  flag_level: { kind: 'flag_level', operators: ['from', 'is'] },
  flag: { kind: 'flag', operators: ['is'] },
  policy: { kind: 'policy', operators: ['is'] },
  has_receipt: { kind: 'has_receipt', operators: ['is'] },
  handed_over: { kind: 'handed_over', operators: ['is'] },
  card: { kind: 'card', operators: ['is', 'is_not'] },
  responsible: { kind: 'responsible', operators: ['is', 'is_not'] },
  kind: { kind: 'kind', operators: ['is'] },
  booked_month: { kind: 'month', operators: ['is'] },
  has_tag: { kind: 'has_tag', operators: ['is'] },
} as const satisfies Readonly<Record<string, { kind: TermKind; operators: readonly TermOperator[] }>>

/** An attribute that a filter names. */
export type FilterAttribute = keyof typeof filterAttributes

/** One filter: `{attribute: 'amount', operator: 'above', value: '500'}`. `value` is as the API writes it: a decimal, a day, an id, a name. */
export type FilterTerm = { readonly attribute: FilterAttribute; readonly operator: TermOperator; readonly value: string }

/** The value of a filter by who is responsible that names the user, and whom they stand in for at that moment. */
export const me = 'me'

/** The filters by what policies found. */
export const flagChoices = { clean: 'flag_level.is.', found: 'flag_level.from.1', blocked: `flag_level.from.${blockingLevel}` } as const

/** The choice that a filter by what policies found is. */
export function flagChoiceOf(value: string): keyof typeof flagChoices {
  return value === '' ? 'clean' : value === String(blockingLevel) ? 'blocked' : 'found'
}

/** The attributes by name, in the order of the menu. Whether there is any tag is chosen with the tags. */
export const filterAttributeNames: readonly FilterAttribute[] = Object.keys(filterAttributes)
  .filter(isFilterAttribute)
  // Links from closed months make the filter by month; a supplier is chosen among the names.
  .filter((name) => name !== 'has_tag' && name !== 'booked_month' && name !== 'supplier')

function isFilterAttribute(name: string): name is FilterAttribute {
  return Object.hasOwn(filterAttributes, name)
}

/** How the value of an attribute is typed and read. */
export function kindOf(attribute: FilterAttribute): TermKind {
  return filterAttributes[attribute].kind
}

/** The ways an attribute compares; the first is the usual one. */
export function operatorsOf(attribute: FilterAttribute): readonly TermOperator[] {
  return filterAttributes[attribute].operators
}

/** Whether the value of a filter by day is a moment, to the second: only links make such filters. */
export function isMoment(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)
}

function isValue(kind: TermKind, value: string, operator: string): boolean {
  switch (kind) {
    case 'receiver':
    case 'policy':
      return /^-?[1-9]\d{0,14}$/.test(value)
    // Without a value: those that name none.
    case 'card':
    case 'responsible':
      if (value === me) return kind === 'responsible' && operator === 'is'
      return value === '' ? operator === 'is' : /^-?[1-9]\d{0,14}$/.test(value)
    case 'flag':
      return /^[a-z_]{1,50}$/.test(value)
    case 'amount':
      return decimalToScaled(value) !== undefined
    case 'day':
      return (/^\d{4}-\d\d-\d\d$/.test(value) || isMoment(value)) && parseInstant(value) !== undefined
    case 'month':
      return monthPattern.test(value)
    case 'currency':
      return isCurrency(value)
    case 'status':
      return expenseStatuses.some((status) => status === value)
    case 'kind':
      return value === 'monetary' || value === 'distance'
    case 'handed_over':
      return handedOverChoices.some((known) => known === value)
    case 'has_tag':
    case 'has_receipt':
      return value === '1' || value === '0'
    // None: what no policy objects to.
    case 'flag_level':
      return operator === 'is' ? value === '' : /^[1-3]$/.test(value)
    // The server knows the names of tags that have commas.
    case 'tag':
    case 'text':
      return value.trim() !== ''
    // One that is empty: those that name nobody.
    case 'supplier':
    case 'name':
      return value === '' ? operator === 'is' : value.trim() !== ''
  }
}

/** Reads a filter from its text `attribute.operator.value`; undefined if it is not one of ours. */
export function parseTerm(text: string): FilterTerm | undefined {
  const [, attribute = '', word = '', value = ''] = /^(\w+)\.(\w+)\.(.*)$/s.exec(text) ?? []
  if (!isFilterAttribute(attribute) || !isValue(kindOf(attribute), value, word)) return undefined
  const operator = operatorsOf(attribute).find((known) => known === word)
  return operator && { attribute, operator, value }
}

/** The filters that are chosen whole: by any tag and by none, among the tags, none of which has a comma; by what policies found. */
const wholeTerms: Readonly<Record<string, string>> = {
  ',1': 'has_tag.is.1',
  ',0': 'has_tag.is.0',
  ',supplier': 'supplier.is.',
  ',card': 'card.is.',
  ',responsible': 'responsible.is.',
  ...flagChoices,
}

/** The filter that a chosen or typed value makes; undefined where it makes none. Who types "clean" means the word. */
export function termOf(term: FilterTerm): FilterTerm | undefined {
  const isTyped = kindOf(term.attribute) === 'text' || kindOf(term.attribute) === 'name'
  return parseTerm((isTyped ? undefined : wholeTerms[term.value]) ?? formatTerm(term))
}

/** The text of a filter, read again by `parseTerm`. */
export function formatTerm({ attribute, operator, value }: FilterTerm): string {
  return `${attribute}.${operator}.${value}`
}

/** The currency that a list is narrowed to by these filters; undefined where it has more than one. */
export function currencyOf(terms: readonly FilterTerm[]): string | undefined {
  const named = terms.filter(({ attribute, operator }) => attribute === 'currency' && operator === 'is')
  return named.length === 1 ? named[0]?.value : undefined
}

/** Whether several filters of the attribute can be combined: any of these claimants, all of these tags. */
function standsBesideItself({ attribute, operator, value }: FilterTerm): boolean {
  const kind = kindOf(attribute)
  return (
    value !== '' &&
    value !== noFinding &&
    value !== me &&
    kind !== 'has_tag' &&
    kind !== 'has_receipt' &&
    kind !== 'handed_over' &&
    kind !== 'month' &&
    (operator === 'is' || operator === 'is_not') &&
    kind !== 'amount' &&
    kind !== 'day'
  )
}

/** The filters with one added, in the place of `replaced` or of one that it contradicts. */
export function putTerm(terms: readonly FilterTerm[], term: FilterTerm, replaced?: FilterTerm): readonly FilterTerm[] {
  const same = (other: FilterTerm) => formatTerm(other) === formatTerm(term)
  const clashes = (other: FilterTerm) =>
    !(standsBesideItself(term) && standsBesideItself(other)) && other.attribute === term.attribute && other.operator === term.operator
  const place = replaced ? terms.indexOf(replaced) : -1
  const kept = terms.filter((other) => other !== replaced && !same(other) && !clashes(other))
  return place < 0 ? [...kept, term] : kept.toSpliced(Math.min(place, kept.length), 0, term)
}

const predicates = {
  is: 'eq',
  is_not: 'not_eq',
  above: 'gt',
  from: 'gteq',
  below: 'lt',
  to: 'lteq',
  contains: 'cont',
  starts: 'start',
} as const

/** The day after a day, both `YYYY-MM-DD`. */
function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

function dayFilter({ attribute, operator, value }: FilterTerm): Record<string, string> {
  if (isMoment(value))
    return {
      ...(operator === 'to' ? {} : { [`${attribute}_gteq`]: value }),
      ...(operator === 'from' ? {} : { [`${attribute}_lteq`]: value }),
    }
  return {
    ...(operator === 'to' ? {} : { [`${attribute}_gteq`]: value }),
    ...(operator === 'from' ? {} : { [`${attribute}_lt`]: dayAfter(value) }),
  }
}

/** What the API calls attributes that hold an id. */
const columns: Readonly<Partial<Record<FilterAttribute, string>>> = {
  receiver: 'receiver_id',
  card: 'corporative_card_id',
  responsible: 'responsible_user_id',
}

/** What the API is asked for by these filters (supplement 1, "Filters"): several of one attribute are any of them, several tags all. */
export function toApiFilter(terms: readonly FilterTerm[]): ExpenseFilter {
  const filter: Record<string, unknown> = {}
  for (const term of terms) {
    const { attribute, operator, value } = term
    const values = terms.filter((other) => other.attribute === attribute && other.operator === operator).map((other) => other.value)
    const kind = kindOf(attribute)
    if (kind === 'day') Object.assign(filter, dayFilter(term))
    else if (kind === 'tag') filter.search_tags = values.join(',')
    else if (kind === 'has_tag') filter.has_tag = value
    else if (kind === 'flag') filter.flag_conditions = values
    else if (kind === 'policy') filter.flag_policy_ids = values
    else if (value === me && kind === 'responsible') filter.responsible_is_me = '1'
    else if (attribute === 'counted_currency' || attribute === 'supplier') filter[attribute] = values
    else if (kind === 'handed_over') filter.handed_over = value
    else if (kind === 'has_receipt') filter[`attachments_count_${value === '1' ? 'gteq' : 'eq'}`] = value
    else if (value === '') filter[`${columns[attribute] ?? attribute}_null`] = '1'
    else if (!standsBesideItself(term)) filter[`${attribute}_${predicates[operator]}`] = value
    else filter[`${columns[attribute] ?? attribute}_${operator === 'is' ? 'in' : 'not_in'}`] = values
  }
  return filter
}
