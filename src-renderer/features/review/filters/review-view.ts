import { expenseStatuses, type ExpenseStatus } from '#shared/domain/expense-status'
import type { ExpenseFilter } from '../../../api/expenses'
import type { GridSort } from '../../../ui/grid/grid-types'
import { type FilterAttribute, type FilterTerm, formatTerm, parseTerm, putTerm, toApiFilter } from './filter-terms'

/** A queue: the expenses of one status, or all. */
export type Queue = ExpenseStatus | 'all'

/** The queues, in the order of the tabs. */
export const queues: readonly Queue[] = [...expenseStatuses, 'all']

/** What a list can be grouped by, in the order of the menu. */
export const groupings = ['receiver', 'tag', 'supplier'] as const
/** What a list can be grouped by. */
export type Grouping = (typeof groupings)[number]

/** What the screen shows: everything of its address but the expense. */
export type ReviewView = {
  readonly queue: Queue
  readonly terms: readonly FilterTerm[]
  readonly sort: GridSort
  readonly group: Grouping | null
  readonly search: string
}

/** Newest day first. */
export const usualSort: GridSort = { columnId: 'occurred_at', direction: 'descending' }

const sortable = ['occurred_at', 'created_at', 'description', 'amount', 'approved_amount', 'status']

/** The first view: unreviewed expenses. */
export const firstView: ReviewView = { queue: 'awaiting_analysis', terms: [], sort: usualSort, group: null, search: '' }

function parseSort(text: string | null): GridSort {
  const columnId = (text ?? '').replace(/^-/, '')
  return sortable.includes(columnId) ? { columnId, direction: text?.startsWith('-') ? 'descending' : 'ascending' } : usualSort
}

/** The order as the API takes it: `-amount`. */
export function toApiSort({ columnId, direction }: GridSort): string {
  return direction === 'descending' ? `-${columnId}` : columnId
}

/** Reads the view from the address. What it does not understand it leaves out; a search without a queue looks everywhere. */
export function parseView(address: string): ReviewView {
  const params = new URLSearchParams(address)
  const search = (params.get('search') ?? '').trim()
  return {
    queue: queues.find((known) => known === params.get('queue')) ?? (search === '' ? firstView.queue : 'all'),
    terms: params
      .getAll('f')
      .map(parseTerm)
      .filter((term) => term !== undefined)
      .reduce<readonly FilterTerm[]>((terms, term) => putTerm(terms, term), []),
    sort: parseSort(params.get('sort')),
    group: groupings.find((known) => known === params.get('group')) ?? null,
    search,
  }
}

/** The address of a view, without the question mark; read again by `parseView`. */
export function formatView({ queue, terms, sort, group, search }: ReviewView): string {
  const params = new URLSearchParams({ queue })
  for (const term of terms) params.append('f', formatTerm(term))
  if (toApiSort(sort) !== toApiSort(usualSort)) params.set('sort', toApiSort(sort))
  if (group) params.set('group', group)
  if (search.trim() !== '') params.set('search', search.trim())
  return params.toString()
}

/** What the API is asked for, whatever the queue: the counts of the tabs. */
export function toBaseFilter({ terms, search }: ReviewView, organizationId: number | null): ExpenseFilter {
  return {
    ...(organizationId === null ? {} : { payer_id_eq: organizationId }),
    ...toApiFilter(terms),
    ...(search === '' ? {} : { search }),
  }
}

/** What the API is asked for by the list of a view. */
export function toListFilter(view: ReviewView, organizationId: number | null): ExpenseFilter {
  return { ...toBaseFilter(view, organizationId), ...(view.queue === 'all' ? {} : { status_eq: view.queue }) }
}

/** Whether an expense of this status is listed by the view. */
export function listsStatus({ queue, terms }: ReviewView, status: ExpenseStatus): boolean {
  const named = terms.filter(({ attribute, operator }) => attribute === 'status' && operator === 'is')
  const excluded = terms.some(
    ({ attribute, operator, value }) => attribute === 'status' && operator === 'is_not' && value === status,
  )
  return (queue === 'all' || queue === status) && !excluded && (named.length === 0 || named.some(({ value }) => value === status))
}

/** By what each group is filtered, and how those that have none of it are. */
const groupAttributes = {
  receiver: { attribute: 'receiver' },
  tag: { attribute: 'tag', none: { attribute: 'has_tag', operator: 'is', value: '0' } },
  supplier: { attribute: 'supplier_name', none: { attribute: 'supplier_name', operator: 'is', value: '' } },
} as const satisfies Record<Grouping, { attribute: FilterAttribute; none?: FilterTerm }>

/** The filter that a grouped list was narrowed to by choosing a group; undefined while the groups themselves are shown. */
export function chosenGroup({ group, terms }: ReviewView): FilterTerm | undefined {
  if (group === null) return undefined
  const { attribute, none }: { attribute: FilterAttribute; none?: FilterTerm } = groupAttributes[group]
  return terms.find(
    (term) => (term.attribute === attribute && term.operator === 'is') || (none && formatTerm(term) === formatTerm(none)),
  )
}

/** The filter that narrows a grouped list to one of its groups; `key` null are the expenses that have none of what is grouped by. */
export function groupTerm(group: Grouping, key: string | number | null): FilterTerm {
  const { attribute, none }: { attribute: FilterAttribute; none?: FilterTerm } = groupAttributes[group]
  return key === null && none ? none : { attribute, operator: 'is', value: String(key) }
}

const openStatuses: readonly ExpenseStatus[] = ['awaiting_analysis', 'analyzing', 'analyzed']

/** Whether an expense of this status still needs attention in this view: in a queue, as long as it is in it; among all, until it is decided. */
export function needsReview(view: ReviewView, status: ExpenseStatus): boolean {
  return view.queue === 'all' ? openStatuses.includes(status) : listsStatus(view, status)
}
