import { setImmediate as afterOthers } from 'node:timers/promises'
import type { ReportGroup, ReportPanel, ReportSum } from '#shared/contract/reports/reports'
import { type Rational, addConverted } from '#shared/domain/reports/exchange-rates'
import { addMonths, monthsBetween, type ReportDimension } from '#shared/domain/reports/reports'
import type { Spending, SpendingCell } from '#main/store/records/expenses/report-reader'

/** How amounts are converted: `currency`, all currencies that become it, and the rate of a day. Undefined: each currency stays separate. */
export interface Conversion {
  readonly currency: string
  readonly from: ReadonlySet<string>
  readonly rateOf: (currency: string, day: string) => Rational | undefined
}

/** The input for panels. `shift`: how many months earlier the previous period is, for whole months. */
export interface PanelsOf {
  readonly group_by: ReportDimension
  readonly now: Spending
  readonly before: Spending | undefined
  readonly shift: number | undefined
  readonly conversion: Conversion | undefined
  readonly limit: number
}

type Key = string | number | null
const textOf = (key: Key) => `${typeof key} ${String(key)}`
/** Groups to add up before other work gets a turn: converting a year of days takes a few hundredths of a millisecond each. */
const groupsATurn = 50

/** The panels of a report, those with most expenses first. The caller adds labels. */
export async function makePanels(asked: PanelsOf): Promise<ReportPanel[]> {
  const home = ({ currency }: SpendingCell) => (asked.conversion?.from.has(currency) === true ? asked.conversion.currency : currency)
  const totals = Map.groupBy(asked.now.totals, home)
  const [cells, before] = [Map.groupBy(asked.now.cells, home), Map.groupBy(asked.before?.cells ?? [], home)]
  const totalsBefore = Map.groupBy(asked.before?.totals ?? [], home)
  const currencies = [...new Set([...totals.keys(), ...totalsBefore.keys()])]
  const panels: ReportPanel[] = []
  for (const currency of currencies) {
    const own = { cells: cells.get(currency) ?? [], totals: totals.get(currency) ?? [] }
    const last = asked.before && { cells: before.get(currency) ?? [], totals: totalsBefore.get(currency) ?? [] }
    panels.push(await makePanel(currency, { ...asked, now: own, before: last }))
  }
  return panels.toSorted((a, b) => b.count - a.count || (a.currency < b.currency ? -1 : 1))
}

async function makePanel(currency: string, { now, before, ...asked }: PanelsOf): Promise<ReportPanel> {
  const sum = (cells: readonly SpendingCell[]) => sumOf(cells, currency, asked.conversion)
  const own = Map.groupBy(now.cells, ({ key }) => textOf(key))
  const earlier = Map.groupBy(before?.cells ?? [], ({ key }) => textOf(keyNow(key, asked)))
  const groups: ReportGroup[] = []
  for (const key of keysOf(now.cells, before?.cells ?? [], asked)) {
    const cells = own.get(textOf(key)) ?? []
    const hasPrevious = before !== undefined && (asked.group_by !== 'month' || asked.shift !== undefined)
    const months = [...Map.groupBy(cells, ({ month }) => month)].flatMap(([month, parts]) =>
      month === null ? [] : [{ month, ...sum(parts) }],
    )
    const previous = hasPrevious ? sum(earlier.get(textOf(key)) ?? []) : null
    groups.push({ key, label: null, ...sum(cells), previous, months: months.toSorted((a, b) => (a.month < b.month ? -1 : 1)) })
    if (groups.length % groupsATurn === 0) await afterOthers()
  }
  const isOrdered = asked.group_by === 'month' || asked.group_by === 'age'
  const sorted = isOrdered ? groups.toSorted((a, b) => compare(a.key, b.key)) : groups.toSorted(largestFirst)
  // Of too many months the newest are shown.
  const end = asked.group_by === 'month' ? Math.max(0, sorted.length - asked.limit) : 0
  const shown = sorted.slice(end, end + asked.limit)
  const rest = [...sorted.slice(0, end), ...sorted.slice(end + asked.limit)]
  const left = new Set(rest.map(({ key }) => textOf(key)))
  const others = now.cells.filter(({ key }) => left.has(textOf(key)))
  return {
    currency,
    currencies: [...new Set([currency, ...[...now.totals, ...(before?.totals ?? [])].map((cell) => cell.currency)])].toSorted(),
    ...sum(now.totals),
    previous: before ? sum(before.totals) : null,
    groups: shown,
    others: rest.length === 0 ? null : { groups: rest.length, ...sum(others) },
  }
}

/** The current key for a group of the previous period: a month is compared with the one in its place. */
function keyNow(key: Key, { group_by, shift }: Pick<PanelsOf, 'group_by' | 'shift'>): Key {
  return group_by === 'month' && shift !== undefined && typeof key === 'string' ? addMonths(key, shift) : key
}

function keysOf(now: readonly SpendingCell[], before: readonly SpendingCell[], asked: Pick<PanelsOf, 'group_by' | 'shift'>): Key[] {
  const keys = new Map(now.map(({ key }) => [textOf(key), key]))
  if (asked.group_by !== 'month' || asked.shift !== undefined)
    for (const { key } of before) keys.set(textOf(keyNow(key, asked)), keyNow(key, asked))
  if (asked.group_by !== 'month') return [...keys.values()]
  // A month without expenses is a gap that people look for.
  const months = [...keys.values()].filter((key) => typeof key === 'string').toSorted()
  return monthsBetween(months[0] ?? '', months.at(-1) ?? '')
}

function compare(a: Key, b: Key): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1
}

function largestFirst(a: ReportGroup, b: ReportGroup): number {
  return b.amount_minor - a.amount_minor || b.count - a.count || compare(a.key, b.key)
}

function sumOf(cells: readonly SpendingCell[], currency: string, conversion: Conversion | undefined): ReportSum {
  const count = cells.reduce((sum, cell) => sum + cell.count, 0)
  if (cells.every((cell) => cell.currency === currency))
    return { count, amount_minor: cells.reduce((sum, { amount_minor }) => sum + amount_minor, 0) }
  const parts = cells.map(({ amount_minor, currency: from, day }) => ({
    amount_minor,
    currency: from,
    rate: from === currency || day === null ? undefined : conversion?.rateOf(from, day),
  }))
  return { count, amount_minor: addConverted(parts, currency) }
}
