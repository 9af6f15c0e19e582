import { useMemo } from 'react'
import type { ExpenseSummary } from '#shared/contract/expenses'
import { useExpenseNames, useExpenseSummary, type ExpenseFilter } from '../../api/expenses'
import type { FilterNames } from '../../records/filters/filter-choices'
import type { ReviewSummary } from './list/queue-sums'
import { chosenGroup, listsExpense, toApiSort, toBaseFilter, toListFilter, type ReviewView } from '../../records/filters/review-view'
import { useRows, type Rows } from './list/use-rows'

/** What the review screen reads. `summary`: what matches in every queue; `groups`: only where the list `isGrouped`. */
export type ReviewData = {
  readonly filter: ExpenseFilter
  readonly rows: Rows
  readonly summary: ReviewSummary | undefined
  readonly names: FilterNames
  readonly isGrouped: boolean
  readonly groups: ExpenseSummary | undefined
}

/** Reads what a view of the organization's expenses shows, and the people and tags that it can be narrowed to. */
export function useReviewData(view: ReviewView, organizationId: number | null): ReviewData {
  const filter = toListFilter(view, organizationId)
  const isGrouped = view.group !== null && chosenGroup(view) === undefined
  const groups = useExpenseSummary(filter, view.group ?? 'receiver', isGrouped).data
  const rows = useRows({ filter, sort: toApiSort(view.sort) }, (expense) => listsExpense(view, expense))
  // Rows first: sums of all expenses take the server longer than a page of them.
  const isListed = rows.snapshot.count !== undefined
  const base = toBaseFilter(view, organizationId)
  const all = useExpenseSummary(base, 'status', isListed).data
  const flagged = useExpenseSummary({ ...base, queue: 'flagged' }, 'status', isListed).data
  const summary = useMemo(() => all && flagged && { all, flagged }, [all, flagged])
  const people = useExpenseNames(organizationId, 'receiver', isListed).data
  const tags = useExpenseNames(organizationId, 'tag', isListed).data
  return { filter, rows, summary, names: { people, tags }, isGrouped, groups: isGrouped ? groups : undefined }
}
