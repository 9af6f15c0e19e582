import { useMemo } from 'react'
import type { ExpenseSummary } from '#shared/contract/expenses'
import type { ClosingRepresentation } from '#shared/contract/organization-records/closings'
import { monthBefore, monthOf } from '#shared/domain/closing/months'
import { useExpenseSummary } from '../../api/expenses'
import { useClosings } from '../../records/closings'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { type Money, formatMonth } from '../../ui/values/format'

/** A month that is over, with what belongs to it. `id`: the month as a number, such as 202610; `name`: in words. */
export interface MonthRow {
  readonly id: number
  readonly name: string
  /** As the API names it. */
  readonly month: string
  readonly count: number
  readonly totals: readonly Money[]
  /** Expenses that are neither settled nor rejected: as they are, they stay once the month is closed. */
  readonly open: number
  readonly openTotals: readonly Money[]
  /** The closing that holds; undefined: the month is open. */
  readonly closing: ClosingRepresentation | undefined
  /** Earlier closings that were reopened, newest first. */
  readonly reopened: readonly ClosingRepresentation[]
}

/** The statuses in which an expense is done. */
export const doneStatuses = ['liquidated', 'rejected'] as const

/** How many past months are listed even where nothing belongs to them: a settlement may. */
const leastMonths = 3

type Read = { readonly all: ExpenseSummary; readonly open: ExpenseSummary; readonly closings: readonly ClosingRepresentation[] }

/** The months of an organization that are over, newest first. */
export function useMonthRows(organizationId: number) {
  const language = usePreferences((state) => state.language)
  const filter = { payer_id_eq: organizationId }
  const all = useExpenseSummary(filter, 'booked_month')
  const open = useExpenseSummary({ ...filter, status_not_in: doneStatuses }, 'booked_month')
  const closings = useClosings(organizationId)
  const error = all.error ?? open.error ?? closings.error
  const data = useMemo(
    () =>
      all.data && open.data && closings.data
        ? toRows({ all: all.data, open: open.data, closings: closings.data }, (month) => formatMonth(month, language))
        : undefined,
    [all.data, open.data, closings.data, language],
  )
  return { data, error, refetch: () => Promise.all([all.refetch(), open.refetch(), closings.refetch()]) }
}

function toRows({ all, open, closings }: Read, words: (month: string) => string): MonthRow[] {
  const current = monthOf(now().toISOString())
  const past = [monthBefore(current)]
  while (past.length < leastMonths) past.push(monthBefore(past.at(-1) ?? current))
  const groups = new Map(all.groups.map((group) => [String(group.key), group]))
  const left = new Map(open.groups.map((group) => [String(group.key), group]))
  const months = new Set([...groups.keys(), ...closings.map(({ name }) => name), ...past])
  return [...months]
    .filter((month) => month < current)
    .toSorted((a, b) => b.localeCompare(a))
    .map((month) => ({
      ...{ id: Number(month.replace('-', '')), month, name: words(month) },
      ...{ count: groups.get(month)?.count ?? 0, totals: groups.get(month)?.totals ?? [], open: left.get(month)?.count ?? 0 },
      openTotals: left.get(month)?.totals ?? [],
      closing: closings.find(({ name, reopening }) => name === month && reopening === null),
      reopened: closings.filter(({ name, reopening }) => name === month && reopening !== null),
    }))
}
