import { expenseRoutes, type Expense } from '#shared/contract/expenses'
import { call } from '#renderer/api/client'
import type { ExpenseFilter } from '#renderer/api/expenses'
import { pageSize } from '#renderer/api/pages'

/** Every expense that matches, a page at a time, by ascending id: what leaves the list while it is read moves nothing. Throws ApiError. */
export async function* listMatching(filter: ExpenseFilter): AsyncGenerator<readonly Expense[]> {
  let last: number | undefined
  for (;;) {
    const q = last === undefined ? filter : { ...filter, id_gt: last }
    const { expenses } = await call(expenseRoutes.list, { query: { q, sort: 'id', per_page: pageSize } })
    if (expenses.length > 0) yield expenses
    if (expenses.length < pageSize) return
    last = expenses.at(-1)?.id
  }
}
