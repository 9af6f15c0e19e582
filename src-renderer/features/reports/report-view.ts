import { isCurrency } from '#shared/domain/currencies'
import { type ReportDimension, reportDimensions } from '#shared/domain/reports/reports'
import { formatView, parseView, type ReviewView } from '../../records/filters/review-view'

/** What reports show: everything at a glance, expenses by something, how long they take, or advances. */
export type ReportKind = 'overview' | ReportDimension | 'times' | 'advances'

/** The reports, in the order of the tabs. */
export const reportKinds: readonly ReportKind[] = ['overview', ...reportDimensions, 'times', 'advances']

/** What the screen shows: the filters of a list, what to group by, and the currency to convert into. */
export interface ReportView {
  readonly filters: ReviewView
  readonly by: ReportKind
  readonly byMonth: boolean
  readonly convertTo: string | undefined
}

/** Reads a report from the address: a saved view of a list is an overview of what it lists. */
export function parseReport(address: string): ReportView {
  const params = new URLSearchParams(address)
  const convertTo = params.get('convert') ?? ''
  const by = reportKinds.find((known) => known === params.get('by')) ?? 'overview'
  if (!params.has('queue')) params.set('queue', 'all')
  return {
    filters: parseView(params.toString()),
    by,
    byMonth: params.get('months') === '1' && by !== 'month' && isSpending(by),
    convertTo: isCurrency(convertTo) ? convertTo : undefined,
  }
}

/** The address of a report, without the question mark; read again by `parseReport`. */
export function formatReport({ filters, by, byMonth, convertTo }: ReportView): string {
  const params = new URLSearchParams({ by })
  if (byMonth && by !== 'month') params.set('months', '1')
  if (convertTo !== undefined) params.set('convert', convertTo)
  return `${params.toString()}&${formatView(filters)}`
}

/** Whether a report groups expenses. */
export function isSpending(kind: ReportKind): kind is ReportDimension {
  return kind !== 'overview' && kind !== 'times' && kind !== 'advances'
}
