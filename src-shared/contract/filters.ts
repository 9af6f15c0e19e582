import { monthPattern } from '#shared/domain/closing/months'
import { isCurrency } from '#shared/domain/currencies'
import { parseInstant } from '#shared/domain/dates'
import type { FieldError } from '#shared/domain/errors'
import { decimalToScaled } from '#shared/domain/money'
import { isSearchable, searchLimits } from '#shared/domain/search-words'
import { type ReviewQueue, reviewQueues } from '#shared/domain/review-queues'
import type { AttributeKind, ListOptions } from './route'

/** The predicates of filters (supplement, "Filters"). */
export const predicates = ['not_eq', 'not_in', 'eq', 'in', 'lteq', 'gteq', 'lt', 'gt', 'cont', 'start', 'null'] as const
export type Predicate = (typeof predicates)[number]

/** A value to compare with: amounts in ten-thousandths of the major unit, instants as canonical UTC text, booleans as 0 or 1. */
export type Comparand = string | number

/** A parsed filter. `null` has no value to compare: 1 means "is null", 0 means "is not null". */
export interface Condition {
  readonly attribute: string
  readonly kind: AttributeKind
  readonly predicate: Predicate
  readonly values: readonly Comparand[]
}

/** One step of an order. */
export interface SortStep {
  readonly attribute: string
  readonly kind: AttributeKind
  readonly descending: boolean
}

/** Whether an expense was handed over to accounting, was not, or has changed since. */
export const handedOverChoices = ['yes', 'no', 'changed'] as const
export type HandedOver = (typeof handedOverChoices)[number]

/** The parsed filters of a list. */
export interface ListFilter {
  readonly conditions: readonly Condition[]
  /** Names of tags that a row must all have, as one text (`splitTagNames`); blank: no filter. */
  readonly search_tags: string
  readonly has_tag: boolean | undefined
  /** Words to find anywhere in the record. */
  readonly search: string | undefined
  /** Expenses that wait for review, with or without findings. */
  readonly queue?: ReviewQueue | undefined
  /** Expenses with a finding of one of these conditions, and of one of these policies. */
  readonly flag_conditions?: readonly string[]
  readonly flag_policy_ids?: readonly number[]
  /** Expenses to which all of these apply. */
  readonly handed_over?: readonly HandedOver[]
  /** Expenses for which the caller, or someone they stand in for today, is responsible. */
  readonly responsible_is_me?: true | undefined
  /** Expenses of a month, such as `2026-10`. */
  readonly booked_month?: string
  /** Expenses whose counted amount (approved, or otherwise claimed) is in one of these currencies. */
  readonly counted_currency?: readonly string[]
  /** Expenses of one of these suppliers, by the keys in summaries and reports; an empty key: expenses without a supplier. */
  readonly supplier?: readonly string[]
}

/** The organization to which a filter limits a list, if it names one. */
export function namedPayer({ conditions }: ListFilter): number | undefined {
  const payer = conditions.find(({ attribute, predicate }) => attribute === 'payer_id' && predicate === 'eq')?.values[0]
  return typeof payer === 'number' ? payer : undefined
}

export type ParsedFilter =
  { readonly kind: 'ok'; readonly filter: ListFilter } | { readonly kind: 'invalid'; readonly errors: FieldError[] }

/** The predicates for each kind of attribute. */
export const allowedPredicates: Readonly<Record<AttributeKind, readonly Predicate[]>> = {
  integer: ['eq', 'not_eq', 'in', 'not_in', 'lt', 'lteq', 'gt', 'gteq', 'null'],
  amount: ['eq', 'not_eq', 'in', 'not_in', 'lt', 'lteq', 'gt', 'gteq', 'null'],
  instant: ['eq', 'not_eq', 'in', 'not_in', 'lt', 'lteq', 'gt', 'gteq', 'null'],
  text: ['eq', 'not_eq', 'in', 'not_in', 'lt', 'lteq', 'gt', 'gteq', 'cont', 'start', 'null'],
  flag: ['eq', 'not_eq', 'in', 'not_in', 'null'],
}

/** The longest text in a filter, in characters. */
const longestText = 10_000
/** The most attributes in a sort order. */
const mostSteps = 20
/** The most values in the filters of one list. */
const mostValues = 10_000
/** The most conditions, or policies, in a filter of findings. */
const mostFlagValues = 50

const truths = new Map<unknown, number>([
  [true, 1],
  [1, 1],
  ['1', 1],
  ['true', 1],
  [false, 0],
  [0, 0],
  ['0', 0],
  ['false', 0],
])

function toComparand(kind: AttributeKind, value: unknown): Comparand | undefined {
  switch (kind) {
    case 'integer':
      if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
      return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined
    case 'amount':
      return typeof value === 'number' || typeof value === 'string' ? decimalToScaled(value) : undefined
    case 'instant':
      return parseInstant(value)
    case 'text':
      return typeof value === 'string' && value.length <= longestText ? value : undefined
    case 'flag':
      return truths.get(value)
  }
}

function toCondition(options: ListOptions, name: string, value: unknown): Condition | FieldError {
  const predicate = predicates.find((candidate) => name.endsWith(`_${candidate}`))
  const attribute = predicate && name.slice(0, -predicate.length - 1)
  const kind = attribute !== undefined && Object.hasOwn(options.attributes, attribute) ? options.attributes[attribute] : undefined
  if (!predicate || !attribute || !kind || !allowedPredicates[kind].includes(predicate)) return { code: 'unknown_filter', params: { name } }
  const wrong: FieldError = { code: 'filter_value', params: { name } }
  if (predicate === 'null') {
    const isNull = truths.get(value)
    return isNull === undefined ? wrong : { attribute, kind, predicate, values: [isNull] }
  }
  const isList = predicate === 'in' || predicate === 'not_in'
  const given = Array.isArray(value) ? value : [value]
  if (!isList && given.length !== 1) return wrong
  const values = given.map((one) => toComparand(kind, one)).filter((one) => one !== undefined)
  return values.length === given.length && (isList || !Array.isArray(value)) ? { attribute, kind, predicate, values } : wrong
}

const flagFilters = [
  'queue',
  'flag_conditions',
  'flag_policy_ids',
  'booked_month_eq',
  'counted_currency',
  'supplier',
  'handed_over',
  'responsible_is_me',
]

function isSpecial({ tagged, searchable }: ListOptions, name: string): boolean {
  return (tagged === true && (name === 'search_tags' || name === 'has_tag')) || (searchable === true && name === 'search')
}

type FlagFilters = Pick<
  ListFilter,
  'queue' | 'flag_conditions' | 'flag_policy_ids' | 'booked_month' | 'counted_currency' | 'supplier' | 'handed_over' | 'responsible_is_me'
>

/** Parses a filter by finding, month, counted currency, supplier, or the caller's responsibility; undefined for other names or values. */
function toFlagFilter(name: string, value: unknown): FlagFilters | undefined {
  const values = Array.isArray(value) ? value : [value]
  if (name === 'queue') {
    const queue = reviewQueues.find((known) => known === value)
    return queue && { queue }
  }
  if (name === 'handed_over') {
    const wanted = handedOverChoices.find((known) => known === value)
    return wanted && { handed_over: [wanted] }
  }
  if (name === 'responsible_is_me') return value === '1' || value === true || value === 'true' ? { responsible_is_me: true } : undefined
  if (name === 'booked_month_eq') return typeof value === 'string' && monthPattern.test(value) ? { booked_month: value } : undefined
  if (values.length === 0 || values.length > mostFlagValues) return undefined
  if (name === 'supplier')
    return values.every((one) => typeof one === 'string' && one.length <= longestText) ? { supplier: values.map(String) } : undefined
  if (name === 'flag_conditions')
    return values.every((one) => typeof one === 'string' && /^\w{1,50}$/.test(one)) ? { flag_conditions: values.map(String) } : undefined
  if (name === 'counted_currency')
    return values.every((one) => typeof one === 'string' && isCurrency(one)) ? { counted_currency: values.map(String) } : undefined
  const flag_policy_ids = values.map((one) => toComparand('integer', one)).filter((id) => typeof id === 'number')
  return name === 'flag_policy_ids' && flag_policy_ids.length === values.length ? { flag_policy_ids } : undefined
}

/**
 * Parses the `q` of a list. An unknown filter or a wrong type is an error: a silently ignored filter would return other people's rows (supplement,
 * "Filters").
 */
export function parseFilter(options: ListOptions, q: Readonly<Record<string, unknown>>): ParsedFilter {
  const conditions: Condition[] = []
  const errors: FieldError[] = []
  let search_tags = ''
  let has_tag: boolean | undefined
  let search: string | undefined
  let flagged: FlagFilters = {}
  for (const [name, value] of Object.entries(q)) {
    if (name === 'search_tags' && options.tagged && typeof value === 'string' && value.length <= longestText) search_tags = value
    else if (name === 'has_tag' && options.tagged && (value === '1' || value === '0' || value === ''))
      has_tag = value === '' ? undefined : value === '1'
    else if (name === 'search' && options.searchable && typeof value === 'string') {
      if (isSearchable(value.trim())) search = value.trim() || undefined
      else errors.push({ code: 'search_limits', params: searchLimits })
    } else if (options.flagged && flagFilters.includes(name)) {
      const read = toFlagFilter(name, value)
      if (read) flagged = { ...flagged, ...read }
      else errors.push({ code: 'filter_value', params: { name } })
    } else if (isSpecial(options, name)) errors.push({ code: 'filter_value', params: { name } })
    else {
      const condition = toCondition(options, name, value)
      const used = conditions.reduce((sum, { values }) => sum + values.length, 0)
      if ('values' in condition && used + condition.values.length > mostValues) errors.push({ code: 'filter_value', params: { name } })
      else if ('code' in condition) errors.push(condition)
      else conditions.push(condition)
    }
  }
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'ok', filter: { conditions, search_tags, has_tag, search, ...flagged } }
}

/** Parses `sort=amount,-occurred_at`, or uses the list's own order if there is none; undefined for attributes that the list cannot be sorted by. */
export function parseSort(options: ListOptions, text: string | undefined): SortStep[] | undefined {
  const steps: SortStep[] = []
  const known = { ...options.attributes, ...options.sortable }
  for (const part of (text || options.order || '').split(',').filter((name) => name !== '')) {
    const attribute = part.replace(/^-/, '')
    const kind = Object.hasOwn(known, attribute) ? known[attribute] : undefined
    if (!kind || steps.length === mostSteps) return undefined
    steps.push({ attribute, kind, descending: part.startsWith('-') })
  }
  return steps
}
