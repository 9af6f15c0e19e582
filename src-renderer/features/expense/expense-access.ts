import type { Expense } from '#shared/contract/expenses'
import { decideExpenseDeletion, decideExpenseEdit, type AccessOutcome } from '#shared/domain/expense-access'
import type { ExpenseRelation } from '#shared/domain/expense-status'
import { may } from '#shared/domain/permissions'
import { useSession } from '../../api/session'
import { relationTo } from '../../records/expense/relation-to'

/** What the signed-in user is to an expense and may do with it; the server decides again. */
export type ExpenseAccess = {
  readonly user_id: number | undefined
  readonly relation: ExpenseRelation
  readonly edit: AccessOutcome
  readonly deletion: AccessOutcome
  /** They see every expense of its payer, and may name another receiver. */
  readonly seesAll: boolean
  readonly canNameReceiver: boolean
}

/** What the signed-in user may do with an expense. */
export function useExpenseAccess(expense: Expense): ExpenseAccess {
  const { data: session } = useSession()
  const membership = session?.memberships.find(({ organization }) => organization.id === expense.payer.id)
  const role = membership?.role
  const relation = relationTo(expense, membership, session?.user.id)
  return {
    user_id: session?.user.id,
    relation,
    edit: decideExpenseEdit(expense, relation),
    // Whether an accountability holds it is known to the server alone.
    deletion: decideExpenseDeletion(
      { status: expense.status, is_in_reimbursement: expense.reimbursement_id !== null, is_in_review: false },
      relation,
    ),
    seesAll: may('expenses.read', { role }),
    canNameReceiver: may('expenses.create_for_others', { role }),
  }
}
