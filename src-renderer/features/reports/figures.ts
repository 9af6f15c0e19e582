import type { ReportGroup, ReportPanel, SpendingReport } from '#shared/contract/reports/reports'
import { ageStarts, monthsBetween, type ReportDimension } from '#shared/domain/reports/reports'
import { formatView, type ReviewView } from '../../records/filters/review-view'
import { listOfBar } from './drill'

/** A row of a figure: a bar and its line in the table. */
export interface FigureRow {
  readonly id: string
  readonly label: string
  readonly count: number
  readonly amount_minor: number
  readonly previous: { readonly count: number; readonly amount_minor: number } | null
  /** Where its expenses are listed; none where no filter can say it. */
  readonly href: string | undefined
  readonly months: ReadonlyMap<string, { readonly count: number; readonly amount_minor: number; readonly href: string | undefined }>
}

/** What labels need: words for what has no name, and months as the language writes them. */
export interface LabelWords {
  readonly none: string
  readonly month: (month: string) => string
  readonly age: (first: number, last: number | null) => string
}

function labelOf({ key, label }: ReportGroup, by: ReportDimension, words: LabelWords): string {
  if (by === 'month' && typeof key === 'string') return words.month(key)
  if (by === 'age' && typeof key === 'number') {
    const next = ageStarts[key + 1]
    return words.age(ageStarts[key] ?? 0, next === undefined ? null : next - 1)
  }
  if (key === null) return words.none
  return label ?? `#${key}`
}

/** The rows of a panel, each with the address of its expenses. */
export function rowsOf(
  { panels }: Pick<SpendingReport, 'panels'>,
  panel: ReportPanel,
  { by, filters, today, words }: { by: ReportDimension; filters: ReviewView; today: string; words: LabelWords },
): FigureRow[] {
  const currencies = panels.length > 1 ? panel.currencies : undefined
  const link = (key: ReportGroup['key'], month?: string) => {
    const list = listOfBar(filters, { by, key, currencies, month }, today)
    return list && `/review?${formatView(list)}`
  }
  return panel.groups.map((group) => ({
    id: String(group.key),
    label: labelOf(group, by, words),
    count: group.count,
    amount_minor: group.amount_minor,
    previous: group.previous,
    href: link(group.key),
    months: new Map(group.months.map(({ month, ...sum }) => [month, { ...sum, href: link(group.key, month) }])),
  }))
}

/** How many months a chart shows. */
export const mostMonths = 36
/** First months that come to less than this part of all together are not in a chart: one old expense would leave it nearly empty. */
const leastShare = 0.01

/** The last months for a chart, from the first that counts; `most`: how many. */
export function lastMonthsOf(rows: readonly FigureRow[], most = mostMonths): readonly FigureRow[] {
  const last = rows.slice(-most)
  const all = last.reduce((sum, { amount_minor }) => sum + Math.abs(amount_minor), 0)
  let before = 0
  const first = last.findIndex(({ amount_minor }) => (before += Math.abs(amount_minor)) >= all * leastShare)
  return last.slice(Math.max(0, first))
}

/** The months of some rows that a table has columns for: the last ones, and before those only months with expenses. */
export function columnMonthsOf(rows: readonly FigureRow[]): string[] {
  const months = monthsOf(rows)
  return months.filter((month, at) => at >= months.length - mostMonths || rows.some((row) => row.months.has(month)))
}

/** The months of some rows, from the first to the last: one without expenses too. */
export function monthsOf(rows: readonly FigureRow[]): string[] {
  const months = rows.flatMap((row) => [...row.months.keys()]).toSorted()
  return monthsBetween(months[0] ?? '', months.at(-1) ?? '')
}
