import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { commentRoutes } from '#shared/contract/comments'
import { expenseRoutes, type Expense } from '#shared/contract/expenses'
import { movesBack, type ExpenseStatus } from '#shared/domain/expense-status'
import { call, etagOf } from '../../api/client'
import { expenseKeys } from '../../api/expenses'

/** Where acts on expenses are kept for undo, wherever they were done. */
export const expenseArea = 'expenses'

/** Shows what the server answered at once, and has every list that may hold it read anew. */
function useStoredExpense() {
  const queryClient = useQueryClient()
  return (expense: Expense) => {
    queryClient.setQueryData(expenseKeys.one(expense.id), expense)
    void queryClient.invalidateQueries({ queryKey: expenseKeys.all })
  }
}

/** Changes attributes of the expense as it was seen; refused with 412 when it has changed since. */
export function useUpdateExpense() {
  const store = useStoredExpense()
  return useMutation({
    mutationFn: ({ seen, changes }: { seen: Expense; changes: Readonly<Record<string, unknown>> }) =>
      call(expenseRoutes.update, { params: { id: seen.id }, body: changes, ifMatch: etagOf(seen) }),
    onSuccess: store,
  })
}

/** The statuses that the server offers for an expense as it is (contract 4.14). */
export function useOfferedStatuses({ id, version, status }: Expense) {
  return useQuery({
    queryKey: [...expenseKeys.one(id), 'status', version, status],
    queryFn: async ({ signal }) =>
      (await call(expenseRoutes.listStatuses, { params: { id }, signal })).status.map(({ slug }) => slug),
  })
}

/** A move to another status with what it asks for. `remark` becomes a comment. */
export type Move = {
  readonly status: ExpenseStatus
  readonly approved?: { readonly amount: number; readonly currency: string }
  readonly ignore_noncompliant?: boolean
  readonly remark?: string
}

function toBody({ status, approved, ignore_noncompliant, remark }: Move): Readonly<Record<string, unknown>> {
  return {
    status,
    ...(approved ? { approved_amount: approved.amount, approved_amount_currency: approved.currency } : {}),
    ...(ignore_noncompliant === undefined ? {} : { ignore_noncompliant }),
    ...(remark && keepsRemark(status) ? { comment: remark } : {}),
  }
}

/** The moves whose remark the server stores as a comment itself (supplement 2, "Expense status moves"). */
function keepsRemark(status: ExpenseStatus): boolean {
  return status === 'pending' || status === 'rejected'
}

/** Moves the expense as it was seen; refused with 412 when it has changed since. */
export function useMoveExpense() {
  const store = useStoredExpense()
  return useMutation({
    mutationFn: async ({ seen, move }: { seen: Expense; move: Move }) => {
      const { id } = seen
      const stored = await call(expenseRoutes.changeStatus, { params: { id }, body: toBody(move), ifMatch: etagOf(seen) })
      if (move.remark && !keepsRemark(move.status))
        await call(commentRoutes.expense.create, { params: { expense_id: id }, body: { content: move.remark } })
      return stored
    },
    onSuccess: store,
  })
}

/** The moves that bring an expense back to how it was before; undefined when no way leads back. */
export function wayBack(before: Expense, to: ExpenseStatus, ignored: boolean | null): Move[] | undefined {
  return movesBack(to, before.status, ignored)?.map((status) => ({
    status,
    ...(status === 'noncompliant' ? { ignore_noncompliant: before.ignore_noncompliant === true } : {}),
    ...(status === 'approved' && before.approved_amount !== null && before.approved_amount_currency !== null
      ? { approved: { amount: before.approved_amount, currency: before.approved_amount_currency } }
      : {}),
  }))
}

/** Deletes the expense as it was seen, for good. */
export function useDeleteExpense() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (seen: Expense) => call(expenseRoutes.destroy, { params: { id: seen.id }, ifMatch: etagOf(seen) }),
    onSuccess: (_none, { id }) => {
      queryClient.removeQueries({ queryKey: expenseKeys.one(id) })
      void queryClient.invalidateQueries({ queryKey: expenseKeys.all })
    },
  })
}
