import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { repeatDecisionRoutes, repeatRoutes } from '#shared/contract/organization-records/repeats'
import { call } from './client'
import { expenseKeys } from './expenses'
import { organizationRecordApi } from './organization-records'

/** Writes of decisions that two expenses are no repeats. */
export const { useWrite: useDecisionWrite } = organizationRecordApi('repeat_decisions', repeatDecisionRoutes)

/** The expenses that an expense may repeat, and what was decided of such pairs. */
export function useRepeats(expense_id: number) {
  return useQuery({
    queryKey: [...expenseKeys.one(expense_id), 'repeats'],
    queryFn: ({ signal }) => call(repeatRoutes.ofExpense, { params: { expense_id }, signal }),
  })
}

/** An expense that is not stored yet, as its repeats are asked for. */
export type RepeatQuery = z.input<typeof repeatRoutes.preview.query>

/** The expenses that one which is being written may repeat; the last known ones while it is asked again. */
export function useDraftRepeats(organization_id: number, query: RepeatQuery, isAsked: boolean) {
  return useQuery({
    queryKey: [...expenseKeys.all, 'repeats', organization_id, query],
    queryFn: ({ signal }) => call(repeatRoutes.preview, { params: { organization_id }, query, signal }),
    enabled: isAsked,
    placeholderData: isAsked ? keepPreviousData : undefined,
  })
}
