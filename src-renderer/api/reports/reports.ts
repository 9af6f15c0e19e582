import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { balanceRoutes, type Balance } from '#shared/contract/balances'
import { reportRoutes, type SpendingReport, type TimesReport } from '#shared/contract/reports/reports'
import type { ReportDimension } from '#shared/domain/reports/reports'
import { advancementKeys } from '../advancements'
import { call } from '../client'
import type { ExpenseFilter } from '../expenses'
import { keyRoots } from '../keys'

/** What a report is asked for. */
export interface SpendingQuery {
  readonly filter: ExpenseFilter
  readonly group_by: ReportDimension
  readonly by_month: boolean
  readonly convert_to: string | undefined
}

/** What expenses come to. */
export function useSpending({ filter, group_by, by_month, convert_to }: SpendingQuery) {
  return useQuery<SpendingReport>({
    queryKey: [...keyRoots.reports, 'spending', filter, group_by, by_month, convert_to],
    queryFn: ({ signal }) =>
      call(reportRoutes.spending, {
        query: { q: filter, group_by, ...(by_month && { by_month: '1' as const }), ...(convert_to && { convert_to }) },
        signal,
      }),
    // Of the same grouping: other keys would be read as other things.
    placeholderData: (last, query) => (query?.queryKey[3] === group_by ? keepPreviousData(last) : undefined),
  })
}

/** How long expenses take. */
export function useTimes(filter: ExpenseFilter) {
  return useQuery<TimesReport>({
    queryKey: [...keyRoots.reports, 'times', filter],
    queryFn: ({ signal }) => call(reportRoutes.times, { query: { q: filter }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** What the caller and others hold of an organization's money. */
export function useOutstanding(organizationId: number | null) {
  return useQuery<Balance[]>({
    queryKey: [...advancementKeys.all, 'outstanding', organizationId],
    queryFn: async ({ signal }) => {
      const { my_balances, other_balances } = await call(balanceRoutes.list, { query: { q: { payer_id: organizationId } }, signal })
      return [...my_balances.objects, ...other_balances.objects].filter(({ amount }) => amount !== 0)
    },
    enabled: organizationId !== null,
  })
}
