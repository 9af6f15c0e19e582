import { expenseRoutes, type Expense } from '#shared/contract/expenses'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import { call } from '../../../api/client'
import type { ExpenseFilter } from '../../../api/expenses'
import { pageSize } from '../../../api/pages'

/**
 * Every expense that matches and has one of the statuses, a page at a time, by ascending id: what leaves the list while it is
 * read moves nothing. Throws ApiError.
 */
export async function* listMatching(
  filter: ExpenseFilter,
  statuses: readonly ExpenseStatus[],
): AsyncGenerator<readonly Expense[]> {
  const narrowed = 'status_eq' in filter ? filter : { ...filter, status_in: statuses }
  let last: number | undefined
  for (;;) {
    const q = last === undefined ? narrowed : { ...narrowed, id_gt: last }
    const { expenses } = await call(expenseRoutes.list, { query: { q, sort: 'id', per_page: pageSize } })
    if (expenses.length > 0) yield expenses
    if (expenses.length < pageSize) return
    last = expenses.at(-1)?.id
  }
}
