import type { BatchOperation } from '#shared/contract/batch'
import type { Expense } from '#shared/contract/expenses'
import { type ExpenseRelation, type ExpenseStatus, movesBack, offeredStatuses } from '#shared/domain/expense-status'
import { etagOf } from '../../api/client'

/** The writes of one expense, in order. */
export type ExpenseWrites = { readonly expense: Expense; readonly operations: readonly BatchOperation[] }

/** Statuses in which nothing speaks against an expense: it waits for somebody to look at it. */
const cleanStatuses: readonly ExpenseStatus[] = ['awaiting_analysis', 'analyzing', 'analyzed']

/** Whether the user may approve the expense. */
export function canApprove(expense: Expense, relation: ExpenseRelation): boolean {
  return offeredStatuses(expense, relation).includes('approved')
}

/** Whether nothing speaks against the expense: neither pending, rejected nor noncompliant. */
export function isClean(expense: Expense): boolean {
  return cleanStatuses.includes(expense.status)
}

function toMove(
  { id, uid }: Pick<Expense, 'id' | 'uid'>,
  { version, body }: { version: number; body: Record<string, unknown> },
): BatchOperation {
  return { method: 'PUT', path: `/expenses/${id}/status`, body, if_match: etagOf({ uid, version }) }
}

/** The write that approves an expense in full, refused when it has changed since it was seen. */
export function approvalOf(expense: Expense): ExpenseWrites {
  const { version, amount, currency } = expense
  const body = { status: 'approved', approved_amount: amount, approved_amount_currency: currency }
  return { expense, operations: [toMove(expense, { version, body })] }
}

/** The expense as it will be once approved: what the row shows meanwhile. */
export function foreseen(expense: Expense): Expense {
  const { amount, currency } = expense
  return { ...expense, status: 'approved', approved_amount: amount, approved_amount_currency: currency }
}

/** The writes that bring an approved expense back to where it was; each move makes one version. */
export function returnOf(before: Expense, after: Expense): ExpenseWrites {
  const way = movesBack(after.status, before.status, after.ignore_noncompliant) ?? []
  return {
    expense: after,
    operations: way.map((status, index) => {
      const body = status === 'noncompliant' ? { status, ignore_noncompliant: before.ignore_noncompliant === true } : { status }
      return toMove(after, { version: after.version + index, body })
    }),
  }
}

/** How many expenses of each status there are, the most first. */
export function countByStatus(expenses: readonly Expense[]): Array<{ status: ExpenseStatus; count: number }> {
  return [...Map.groupBy(expenses, ({ status }) => status)]
    .map(([status, members]) => ({ status, count: members.length }))
    .toSorted((a, b) => b.count - a.count)
}
