import { expenseStatuses, type ExpenseStatus } from '#shared/domain/expense-status'
import { noFinding, queueOf, queueStatuses, reviewQueues, waitingStatuses, type ReviewQueue } from '#shared/domain/review-queues'
import type { ExpenseFilter } from '../../api/expenses'
import type { GridSort } from '../../ui/grid/grid-types'
import { type FilterAttribute, type FilterTerm, formatTerm, parseTerm, putTerm, toApiFilter } from './filter-terms'

/** A queue: the expenses of one status, one by what is to be done, or all. */
export type Queue = ExpenseStatus | ReviewQueue | 'all'

/** Every queue that an address can name. */
export const queues: readonly Queue[] = [...reviewQueues, ...expenseStatuses, 'all']

/** The queues by what is to be done, in the order of the tabs; a status among those that are decided is a filter. */
export const tabQueues: readonly Queue[] = ['flagged', 'clean', 'awaiting_analysis', 'in_review', 'pending', 'decided', 'all']

/** The statuses whose expenses are all in a queue: none where findings decide. */
export function queuedStatuses(queue: Queue): readonly ExpenseStatus[] {
  if (queue === 'all') return expenseStatuses
  return isOfOneStatus(queue) ? [queue] : queueStatuses[queue]
}

/** Whether a queue holds expenses of one status: no row has to say it. */
export function isOfOneStatus(queue: Queue): queue is ExpenseStatus {
  return expenseStatuses.some((status) => status === queue)
}

/** What a list can be grouped by, in the order of the menu. */
export const groupings = ['receiver', 'tag', 'supplier', 'flag', 'responsible'] as const
/** What a list can be grouped by. */
export type Grouping = (typeof groupings)[number]

/** What the screen shows: everything of its address but the expense. */
export type ReviewView = {
  readonly queue: Queue
  readonly terms: readonly FilterTerm[]
  readonly sort: GridSort
  readonly group: Grouping | null
  readonly search: string
  /** The keys for the next and the previous row pass over what has no findings. */
  readonly walksFlagged: boolean
}

/** Newest day first. */
export const usualSort: GridSort = { columnId: 'occurred_at', direction: 'descending' }

const sortable = ['occurred_at', 'created_at', 'description', 'amount', 'approved_amount', 'status', 'supplier_name', 'flags', 'age']

/** The first view: unreviewed expenses. */
export const firstView: ReviewView = {
  queue: 'awaiting_analysis',
  terms: [],
  sort: usualSort,
  group: null,
  search: '',
  walksFlagged: false,
}

function parseSort(text: string | null): GridSort {
  const columnId = (text ?? '').replace(/^-/, '')
  return sortable.includes(columnId) ? { columnId, direction: text?.startsWith('-') ? 'descending' : 'ascending' } : usualSort
}

/** The order as the address has it: `-amount`. */
function formatSort({ columnId, direction }: GridSort): string {
  return direction === 'descending' ? `-${columnId}` : columnId
}

/** The order as the API takes it. The worst are the weightiest, the newest of them first; the oldest are those of the first days. */
export function toApiSort(sort: GridSort): string {
  const isDescending = sort.direction === 'descending'
  if (sort.columnId === 'flags') return isDescending ? '-flag_level,-occurred_at' : 'flag_level,occurred_at'
  if (sort.columnId === 'age') return isDescending ? 'occurred_at' : '-occurred_at'
  return formatSort(sort)
}

/** The orders that a reviewer chooses by a key: newest, worst, oldest, largest. */
export const namedSorts = {
  newest: usualSort,
  worst: { columnId: 'flags', direction: 'descending' },
  oldest: { columnId: 'age', direction: 'descending' },
  largest: { columnId: 'amount', direction: 'descending' },
} as const satisfies Record<string, GridSort>
/** The name of an order that has one. */
export type SortName = keyof typeof namedSorts
/** The names of the orders, in the order of the menu. */
export const sortNames: readonly SortName[] = ['newest', 'worst', 'oldest', 'largest']

/** The name of an order; undefined where it has none. */
export function nameOfSort(sort: GridSort): SortName | undefined {
  return sortNames.find((name) => formatSort(namedSorts[name]) === formatSort(sort))
}

/** The order after this one among those that have names. */
export function nextSort(sort: GridSort): GridSort {
  const name = nameOfSort(sort)
  const index = name === undefined ? -1 : sortNames.indexOf(name)
  return namedSorts[sortNames[(index + 1) % sortNames.length] ?? 'newest']
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
    walksFlagged: params.get('walk') === 'flagged',
  }
}

/** What of an address the view does not understand. */
export function unknownParts(address: string): readonly string[] {
  const params = new URLSearchParams(address)
  const isUnknown = (name: string, known: readonly string[]) => params.has(name) && !known.some((one) => one === params.get(name))
  const sort = params.get('sort')
  const isUnknownSort = sort !== null && formatSort(parseSort(sort)) !== sort
  const named = [
    ...(isUnknown('queue', queues) ? ['queue'] : []),
    ...(isUnknown('group', groupings) ? ['group'] : []),
    ...(isUnknownSort ? ['sort'] : []),
  ]
  return [...params.getAll('f').filter((text) => parseTerm(text) === undefined), ...named.map((name) => `${name}=${params.get(name)}`)]
}

/** The address of a view, without the question mark; read again by `parseView`. */
export function formatView({ queue, terms, sort, group, search, walksFlagged }: ReviewView): string {
  const params = new URLSearchParams({ queue })
  for (const term of terms) params.append('f', formatTerm(term))
  if (formatSort(sort) !== formatSort(usualSort)) params.set('sort', formatSort(sort))
  if (group) params.set('group', group)
  if (search.trim() !== '') params.set('search', search.trim())
  if (walksFlagged) params.set('walk', 'flagged')
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
  return { ...toBaseFilter(view, organizationId), ...queueFilter(view.queue) }
}

function queueFilter(queue: Queue): ExpenseFilter {
  if (queue === 'all') return {}
  return isOfOneStatus(queue) ? { status_eq: queue } : { queue }
}

/** What the API is asked for to find what matches and has no findings: of this status, where the view shows one of those that wait. */
export function toCleanFilter(view: ReviewView, organizationId: number | null): ExpenseFilter {
  const status = waitingStatuses.find((waiting) => waiting === view.queue)
  // What waits and is in review is what waits and has been begun.
  const part = status ? { status_eq: status } : view.queue === 'in_review' ? { status_not_eq: 'awaiting_analysis' } : {}
  return { ...toBaseFilter(view, organizationId), queue: 'clean', ...part }
}

/** What of an expense decides which queues it is in. */
export type Queued = { readonly status: ExpenseStatus; readonly flag_level: number | null }

/** Whether an expense is listed by the view. */
export function listsExpense({ queue, terms }: ReviewView, expense: Queued): boolean {
  const { status } = expense
  const named = terms.filter(({ attribute, operator }) => attribute === 'status' && operator === 'is')
  const excluded = terms.some(({ attribute, operator, value }) => attribute === 'status' && operator === 'is_not' && value === status)
  const isQueued = queuedStatuses(queue).includes(status) || queue === queueOf(expense)
  return isQueued && !excluded && (named.length === 0 || named.some(({ value }) => value === status))
}

/** By what each group is filtered, and how those that have none of it are. */
const groupAttributes = {
  receiver: { attribute: 'receiver' },
  tag: { attribute: 'tag', none: { attribute: 'has_tag', operator: 'is', value: '0' } },
  supplier: { attribute: 'supplier', none: { attribute: 'supplier', operator: 'is', value: '' } },
  flag: { attribute: 'flag', none: { attribute: 'flag', operator: 'is', value: noFinding } },
  responsible: { attribute: 'responsible', none: { attribute: 'responsible', operator: 'is', value: '' } },
} as const satisfies Record<Grouping, { attribute: FilterAttribute; none?: FilterTerm }>

/** The filter that a grouped list was narrowed to by choosing a group; undefined while the groups themselves are shown. */
export function chosenGroup({ group, terms }: ReviewView): FilterTerm | undefined {
  if (group === null) return undefined
  const { attribute, none }: { attribute: FilterAttribute; none?: FilterTerm } = groupAttributes[group]
  return terms.find((term) => (term.attribute === attribute && term.operator === 'is') || (none && formatTerm(term) === formatTerm(none)))
}

/** The filter that narrows a grouped list to one of its groups; `key` null are the expenses that have none of what is grouped by. */
export function groupTerm(group: Grouping, key: string | number | null): FilterTerm {
  const { attribute, none }: { attribute: FilterAttribute; none?: FilterTerm } = groupAttributes[group]
  return key === null && none ? none : { attribute, operator: 'is', value: String(key) }
}

/** Whether an expense still needs attention in this view: in a queue, as long as it is in it; among all, until it is decided. */
export function needsReview(view: ReviewView, expense: Queued): boolean {
  return view.queue === 'all' ? queueOf(expense) !== undefined : listsExpense(view, expense)
}
