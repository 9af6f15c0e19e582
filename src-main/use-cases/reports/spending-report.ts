import type { Condition, ListFilter } from '#shared/contract/filters'
import type { ReportGroup, ReportPanel, SpendingReport } from '#shared/contract/reports/reports'
import { type ReportDimension, type ReportPeriod, periodBefore, wholeMonths } from '#shared/domain/reports/reports'
import { type Spending, type SpendingCell, readSpending } from '#main/store/records/expenses/report-reader'
import { listSupplierNames } from '#main/store/records/organizations/supplier-reader'
import { listTagsByIds } from '#main/store/records/organizations/tag-reader'
import type { Reader } from '#main/store/core/store'
import { makePanels } from './make-panels'
import { planConversion } from './plan-conversion'

/** The input for a report. `today`: the day for ages. */
export interface SpendingAsked {
  readonly filter: ListFilter
  readonly group_by: ReportDimension
  readonly by_month: boolean
  readonly convert_to: string | undefined
  readonly limit: number
  readonly today: string
}

const bounds: readonly Condition['predicate'][] = ['gt', 'gteq', 'lt', 'lteq', 'eq']
const isOfDates = ({ attribute, predicate }: Condition) => attribute === 'occurred_at' && bounds.includes(predicate)

function justAfter(instant: string): string {
  return new Date(Date.parse(instant) + 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** The dates in a filter; undefined without a beginning or end, or if nothing is between. */
export function periodOf({ conditions }: ListFilter): ReportPeriod | undefined {
  const [starts, ends]: [string[], string[]] = [[], []]
  for (const { predicate, values } of conditions.filter(isOfDates)) {
    const value = String(values[0])
    if (predicate === 'gteq' || predicate === 'eq') starts.push(value)
    if (predicate === 'gt') starts.push(justAfter(value))
    if (predicate === 'lt') ends.push(value)
    if (predicate === 'lteq' || predicate === 'eq') ends.push(justAfter(value))
  }
  const [from, until] = [starts.toSorted().at(-1), ends.toSorted()[0]]
  return from !== undefined && until !== undefined && from < until ? { from, until } : undefined
}

function withPeriod(filter: ListFilter, { from, until }: ReportPeriod): ListFilter {
  const date = { attribute: 'occurred_at', kind: 'instant' } as const
  return {
    ...filter,
    conditions: [
      ...filter.conditions.filter((condition) => !isOfDates(condition)),
      { ...date, predicate: 'gteq', values: [from] },
      { ...date, predicate: 'lt', values: [until] },
    ],
  }
}

/** The period before a filter's, and the filters of both; only the filter itself if it has no period. */
export function comparedWith(filter: ListFilter) {
  const period = periodOf(filter)
  const previous = period && periodBefore(period)
  return { period, previous, filters: [filter, ...(previous ? [withPeriod(filter, previous)] : [])] }
}

/** The sums of expenses that a user may see and that match a filter, compared with the previous period. */
export async function reportSpending(reader: Reader, user_id: number, asked: SpendingAsked): Promise<SpendingReport> {
  const { filter, group_by, by_month, today, limit } = asked
  const { period, previous, filters } = comparedWith(filter)
  const read = await readSpending(reader, user_id, { filters, group_by, by_month, home: asked.convert_to, today })
  const [now = { cells: [], totals: [] }, before] = group_by === 'tag' ? await nameTags(reader, read) : read
  const converted =
    asked.convert_to === undefined
      ? undefined
      : await planConversion(reader, user_id, { filter, currency: asked.convert_to, spending: before ? [now, before] : [now] })
  const panels = await makePanels({ group_by, now, before, limit, shift: period && wholeMonths(period), conversion: converted?.conversion })
  return {
    period: period ?? null,
    previous: previous ?? null,
    panels:
      group_by === 'supplier'
        ? await nameSuppliers(reader, panels, { user_id, filter, cells: read.flatMap(({ cells }) => cells) })
        : panels,
    rates: converted?.rates ?? [],
    unconverted: converted?.unconverted ?? [],
  }
}

/** Turns groups of tags into groups of tag names, as filters name them: a name is read once per tag, not once per expense. */
async function nameTags(reader: Reader, read: readonly Spending[]): Promise<Spending[]> {
  const ids = read.flatMap(({ cells }) => cells.map(({ key }) => key)).filter((key) => typeof key === 'number')
  const names = new Map((await listTagsByIds(reader, [...new Set(ids)])).map(({ id, name }) => [id, name]))
  const named = (cell: SpendingCell) => ({ ...cell, key: typeof cell.key === 'number' ? (names.get(cell.key) ?? null) : cell.key })
  return read.map(({ cells, totals }) => ({ totals, cells: cells.map(named) }))
}

/** Panels whose groups are labelled with the names of suppliers. */
async function nameSuppliers(
  reader: Reader,
  panels: readonly ReportPanel[],
  { cells, ...asked }: { user_id: number; filter: ListFilter; cells: readonly SpendingCell[] },
): Promise<ReportPanel[]> {
  const shown = new Set(panels.flatMap(({ groups }) => groups.map(({ key }) => key)))
  const names = await listSupplierNames(
    reader,
    cells.filter(({ key }) => shown.has(key)),
    asked,
  )
  const named = (group: ReportGroup) => ({ ...group, label: typeof group.key === 'string' ? (names.get(group.key) ?? null) : null })
  return panels.map((panel) => ({ ...panel, groups: panel.groups.map(named) }))
}
