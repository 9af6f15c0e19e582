import type { ExpenseStatus } from '#shared/domain/expense-status'
import { daysOfAge, lastDayOf, openStatuses, type ReportDimension } from '#shared/domain/reports/reports'
import { isMoment, parseTerm, putTerm, type FilterAttribute, type FilterTerm } from '../../records/filters/filter-terms'
import { usualSort, type ReviewView } from '../../records/filters/review-view'

/** A bar of a report: what its expenses have in common. */
export interface Bar {
  readonly by: ReportDimension
  readonly key: string | number | null
  /** The currencies of its amounts, where the report has others too. */
  readonly currencies?: readonly string[] | undefined
  /** Where a group is split by month. */
  readonly month?: string | undefined
}

const noTag: FilterTerm = { attribute: 'has_tag', operator: 'is', value: '0' }

type Terms = readonly FilterTerm[]

const byAttribute = {
  receiver: 'receiver',
  supplier: 'supplier',
  status: 'status',
  card: 'card',
  currency: 'currency',
} as const satisfies Partial<Record<ReportDimension, FilterAttribute>>

/** Any of these values in the place of those that were named: a bar holds fewer expenses than its report. */
function only(terms: Terms, attribute: FilterAttribute, values: readonly string[]): Terms | undefined {
  const others = terms.filter((term) => term.attribute !== attribute || term.operator !== 'is')
  return values.reduce<Terms | undefined>((all, value) => all && put(all, { attribute, operator: 'is', value }), others)
}

/** The filters with one more; undefined where no filter can say it. */
function put(terms: Terms, { attribute, operator, value }: FilterTerm): Terms | undefined {
  const term = parseTerm(`${attribute}.${operator}.${value}`)
  return term && putTerm(terms, term)
}

/** The end of a day, or the moment itself. */
const endOf = (value: string) => (isMoment(value) ? value : `${value}T23:59:59Z`)

/** The filters with dates that are within those that were named; days are `YYYY-MM-DD`. */
function within(terms: Terms, { first, last }: { first: string | null; last: string | null }): Terms | undefined {
  const named = (operator: FilterTerm['operator']) =>
    terms.filter((term) => term.attribute === 'occurred_at' && term.operator === operator).map(({ value }) => value)
  const [from] = [...named('from'), ...(first === null ? [] : [first])].toSorted().toReversed()
  const [to] = [...named('to'), ...(last === null ? [] : [last])].toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : 1))
  const begun = from === undefined ? terms : put(terms, { attribute: 'occurred_at', operator: 'from', value: from })
  return to === undefined ? begun : begun && put(begun, { attribute: 'occurred_at', operator: 'to', value: to })
}

const daysOf = (month: string) => ({ first: `${month}-01`, last: lastDayOf(month) })

function narrow(terms: Terms, { by, key }: Bar, today: string): Terms | undefined {
  const named = (attribute: FilterAttribute) =>
    terms.filter((term) => term.attribute === attribute && term.operator === 'is').map(({ value }) => value)
  switch (by) {
    case 'month':
      return typeof key === 'string' ? within(terms, daysOf(key)) : undefined
    case 'age': {
      const statuses = openStatuses.filter((status) => named('status').length === 0 || named('status').includes(status))
      const open = only(terms, 'status', statuses)
      return open && within(open, daysOfAge(Number(key), today))
    }
    case 'tag':
      return put(terms, key === null ? noTag : { attribute: 'tag', operator: 'is', value: String(key) })
    case 'flag':
      // Several conditions are any of them: no filter says one of these and another one.
      return named('flag').every((value) => value === key)
        ? put(terms, { attribute: 'flag', operator: 'is', value: String(key) })
        : undefined
    case 'policy':
      return put(terms, { attribute: 'policy', operator: 'is', value: String(key) })
    case 'receiver':
    case 'supplier':
    case 'status':
    case 'card':
    case 'currency':
      return only(terms, byAttribute[by], [key === null ? '' : String(key)])
  }
}

/** The list of exactly the expenses of a bar: the filters of its report and one more. Undefined where no filter can say it. */
export function listOfBar(filters: ReviewView, bar: Bar, today: string): ReviewView | undefined {
  const narrowed = narrow(filters.terms, bar, today)
  const ofMonth = bar.month === undefined ? narrowed : narrowed && within(narrowed, daysOf(bar.month))
  const terms = bar.currencies === undefined ? ofMonth : ofMonth && only(ofMonth, 'counted_currency', bar.currencies)
  return terms && { ...filters, terms, sort: usualSort, group: null, walksFlagged: false }
}

/** The list of the expenses of a report that have one of these statuses, in some currencies. Undefined where no filter can say it. */
export function listOfStatuses(
  filters: ReviewView,
  statuses: readonly ExpenseStatus[],
  currencies: readonly string[] | undefined,
): ReviewView | undefined {
  const ofStatus = only(filters.terms, 'status', statuses)
  const terms = currencies === undefined ? ofStatus : ofStatus && only(ofStatus, 'counted_currency', currencies)
  return terms && { ...filters, terms, sort: usualSort, group: null, walksFlagged: false }
}
