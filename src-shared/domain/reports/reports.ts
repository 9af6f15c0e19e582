import type { ExpenseStatus } from '#shared/domain/expense-status'

/**
 * How a report groups expenses. `age`: how many days ago an open expense was made; `flag`: the condition of a finding; `policy`: the policy of a
 * finding. An expense is in the group of each of its tags, conditions and policies.
 */
export const reportDimensions = ['month', 'tag', 'receiver', 'supplier', 'status', 'card', 'currency', 'age', 'flag', 'policy'] as const
/** How a report groups expenses. */
export type ReportDimension = (typeof reportDimensions)[number]

/** The statuses of expenses that are neither settled nor rejected. */
export const openStatuses = [
  'awaiting_analysis',
  'analyzing',
  'analyzed',
  'pending',
  'noncompliant',
  'approved',
] as const satisfies readonly ExpenseStatus[]

/** The lowest age of each age group, in days. */
export const ageStarts = [0, 31, 61, 91] as const

const dayMs = 86_400_000

/** The day this many days earlier, both `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10)
}

/** The days of an age group; `first` is null for the oldest group, `last` for the youngest. */
export function daysOfAge(index: number, today: string): { readonly first: string | null; readonly last: string | null } {
  const next = ageStarts[index + 1]
  const start = ageStarts[index] ?? 0
  return { first: next === undefined ? null : daysBefore(today, next - 1), last: start === 0 ? null : daysBefore(today, start) }
}

/** From an instant until another one (excluded). */
export interface ReportPeriod {
  readonly from: string
  readonly until: string
}

/** The month this many months later, both `YYYY-MM`. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const index = year * 12 + number - 1 + months
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`
}

/** The months from one to another, inclusive. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last && months.length < 1200; month = addMonths(month, 1)) months.push(month)
  return months
}

/** The last day of a month. */
export function lastDayOf(month: string): string {
  return daysBefore(`${addMonths(month, 1)}-01`, 1)
}

const monthStart = /^(\d{4}-\d\d)-01T00:00:00Z$/

/** The number of whole months in a period; undefined if it is not whole months. */
export function wholeMonths({ from, until }: ReportPeriod): number | undefined {
  const [first, last] = [monthStart.exec(from)?.[1], monthStart.exec(until)?.[1]]
  if (first === undefined || last === undefined || last <= first) return undefined
  return monthsBetween(first, last).length - 1
}

/** The preceding period of the same length: in months, or in milliseconds. */
export function periodBefore(period: ReportPeriod): ReportPeriod {
  const months = wholeMonths(period)
  if (months !== undefined) return { from: `${addMonths(period.from.slice(0, 7), -months)}-01T00:00:00Z`, until: period.from }
  const from = new Date(2 * Date.parse(period.from) - Date.parse(period.until))
  return { from: from.toISOString().replace(/\.\d+Z$/, 'Z'), until: period.from }
}
