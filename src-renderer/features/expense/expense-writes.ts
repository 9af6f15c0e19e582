import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { expenseRoutes, type Expense } from '#shared/contract/expenses'
import { type ExpenseRelation, type ExpenseStatus, offeredStatuses } from '#shared/domain/expense-status'
import { expenseQueue, type ExpenseStep, type MoveBody, moveOperation } from '../../records/expense/expense-moves'
import { errorOf, type Pair, undoWrites, writePlans } from '../../records/expense/expense-writes'
import { ApiError, call, etagOf } from '../../api/client'
import { expenseKeys } from '../../api/expenses'

/** Shows the server's response at once. */
function useStoredExpense() {
  const queryClient = useQueryClient()
  return (expense: Expense) => {
    queryClient.setQueryData(expenseKeys.one(expense.id), expense)
  }
}

/** Changes attributes of the expense as the user saw it; 412 if it has changed since. */
export function useUpdateExpense() {
  const store = useStoredExpense()
  return useMutation({
    mutationFn: ({ seen, changes }: { seen: Expense; changes: Readonly<Record<string, unknown>> }) =>
      expenseQueue.write(seen, (now) => call(expenseRoutes.update, { params: { id: seen.id }, body: changes, ifMatch: etagOf(now) })),
    onSuccess: store,
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

/** A move to another status with what it asks for. `remark` becomes a comment. */
export type Move = {
  readonly status: ExpenseStatus
  readonly approved?: { readonly amount: number; readonly currency: string }
  readonly ignore_noncompliant?: boolean
  readonly remark?: string
}

function toBody({ status, approved, ignore_noncompliant, remark }: Move): MoveBody {
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

/**
 * Moves the expense as the user saw it, after this window's earlier requests; 412 if it has changed since. Resolves to undefined when the same move was sent before.
 */
export function useMoveExpense() {
  const store = useStoredExpense()
  return useMutation({
    mutationFn: async ({ seen, move }: { seen: Expense; move: Move }) => {
      const { remark } = move
      const comment: ExpenseStep = ({ id }) => ({ method: 'POST', path: `/expenses/${id}/comments`, body: { content: remark } })
      const steps: ExpenseStep[] = [(now) => moveOperation(now, toBody(move))]
      if (remark && !keepsRemark(move.status)) steps.push(comment)
      const [outcome] = await writePlans([seen.uid], () => [{ seen, steps: () => steps }])
      const error = outcome && errorOf(outcome)
      if (error) throw error
      if (outcome?.kind === 'skipped' && outcome.expense.status !== move.status) throw new ApiError(412, '')
      return outcome?.kind === 'done' ? outcome.expense : undefined
    },
    onSuccess: (stored) => stored && store(stored),
  })
}

/** Undoes a move, after what this window asked for before; `pairs` is asked when its turn comes. Throws {@link ApiError}. */
export function useUndoMove() {
  const store = useStoredExpense()
  return async (uid: string, pairs: () => readonly Pair[]) => (await undoWrites([uid], pairs)).forEach(store)
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
