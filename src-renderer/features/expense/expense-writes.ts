import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { expenseRoutes, type Expense } from '#shared/contract/expenses'
import { type ExpenseRelation, offeredStatuses } from '#shared/domain/expense-status'
import { expenseQueue } from '../../records/expense/expense-moves'
import { hearExpenses } from '../../records/expense/expense-store'
import { call, etagOf } from '../../api/client'
import { expenseKeys } from '../../api/expenses'

/** Changes attributes of the expense as the user saw it; 412 if it has changed since. */
export function useUpdateExpense() {
  return useMutation({
    mutationFn: ({ seen, changes }: { seen: Expense; changes: Readonly<Record<string, unknown>> }) =>
      expenseQueue.write(seen, (now) => call(expenseRoutes.update, { params: { id: seen.id }, body: changes, ifMatch: etagOf(now) })),
    onSuccess: (stored) => hearExpenses([stored]),
  })
}

/**
 * The statuses that the server offers for an expense (contract 4.14). Until it has responded, those of the table of moves: buttons that came
 * later would move what is below them under the pointer, and a click there would be lost.
 */
export function useOfferedStatuses(expense: Expense, relation: ExpenseRelation) {
  const { id, version, status } = expense
  return useQuery({
    queryKey: [...expenseKeys.one(id), 'status', version, status],
    queryFn: async ({ signal }) => (await call(expenseRoutes.listStatuses, { params: { id }, signal })).status.map(({ slug }) => slug),
    placeholderData: offeredStatuses(expense, relation),
  })
}

/** Deletes the expense as the user saw it, permanently. */
export function useDeleteExpense() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (seen: Expense) =>
      expenseQueue.run([seen.uid], () =>
        call(expenseRoutes.destroy, { params: { id: seen.id }, ifMatch: etagOf(expenseQueue.latest(seen)) }),
      ),
    onSuccess: (_none, { id }) => queryClient.removeQueries({ queryKey: expenseKeys.one(id) }),
  })
}
