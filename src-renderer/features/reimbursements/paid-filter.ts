import type { ReimbursementFilter } from '../../api/reimbursements'
import type { GridSort } from '../../ui/grid/grid-types'

/** The filters of the list as the address has them; '' is none. Days are `YYYY-MM-DD`, amounts decimals with a point. */
export type PaidFilter = {
  readonly receiver: string
  readonly tag: string
  readonly from: string
  readonly to: string
  readonly least: string
  readonly most: string
}

/** What can be filtered by, in the order in which it is shown. */
export const paidFilterNames = ['from', 'to', 'least', 'most', 'receiver', 'tag'] as const satisfies ReadonlyArray<keyof PaidFilter>

const patterns: Readonly<Record<keyof PaidFilter, RegExp>> = {
  receiver: /^\d{1,15}$/,
  tag: /\S/,
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/,
  least: /^\d{1,15}(\.\d{1,4})?$/,
  most: /^\d{1,15}(\.\d{1,4})?$/,
}

/** The filters in an address; unknown ones are dropped. */
export function parsePaidFilter(address: URLSearchParams): PaidFilter {
  const read = (name: keyof PaidFilter) => {
    const value = address.get(name) ?? ''
    return patterns[name].test(value) ? value : ''
  }
  return { receiver: read('receiver'), tag: read('tag'), from: read('from'), to: read('to'), least: read('least'), most: read('most') }
}

/** The columns that the list can be sorted by. */
export const paidSortColumns = ['date', 'amount'] as const

/** The order that an address names; newest first when it names none. */
export function parsePaidSort(address: URLSearchParams): GridSort {
  const text = address.get('sort') ?? ''
  const columnId = paidSortColumns.find((column) => column === text.replace(/^-/, ''))
  if (columnId === undefined) return { columnId: 'date', direction: 'descending' }
  return { columnId, direction: text.startsWith('-') ? 'descending' : 'ascending' }
}

/** The order as the API takes it; equal rows keep one order. */
export function toApiSort({ columnId, direction }: GridSort): string {
  return direction === 'descending' ? `-${columnId},-id` : `${columnId},id`
}

/** The part of the address that names filters and order, with its `?`; blank when there is nothing to name. */
export function formatPaidAddress(filter: PaidFilter, sort: GridSort): string {
  const address = new URLSearchParams(paidFilterNames.flatMap((name) => (filter[name] === '' ? [] : [[name, filter[name]]])))
  if (sort.columnId !== 'date' || sort.direction !== 'descending')
    address.set('sort', `${sort.direction === 'descending' ? '-' : ''}${sort.columnId}`)
  const text = address.toString()
  return text === '' ? '' : `?${text}`
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

/** What the API is asked for (contract 4.1, "Filters"): both ends of a span belong to it. */
export function toApiFilter(filter: PaidFilter, payer_id: number): ReimbursementFilter {
  return {
    payer_id_eq: payer_id,
    ...(filter.receiver === '' ? {} : { receiver_id_eq: Number(filter.receiver) }),
    ...(filter.tag === '' ? {} : { search_tags: filter.tag }),
    ...(filter.from === '' ? {} : { date_gteq: filter.from }),
    ...(filter.to === '' || Number.isNaN(Date.parse(filter.to)) ? {} : { date_lt: dayAfter(filter.to) }),
    ...(filter.least === '' ? {} : { amount_gteq: filter.least }),
    ...(filter.most === '' ? {} : { amount_lteq: filter.most }),
  }
}
