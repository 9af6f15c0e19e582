import type { BatchOperation } from '#shared/contract/batch'
import { movesBack, type ExpenseStatus } from '#shared/domain/expense-status'
import { moveOperation, type ActedExpense } from './acts'

/** An expense before and after an act: what undoing it needs. */
export type UndoItem = { readonly before: ActedExpense; readonly after: ActedExpense }

function bodyOf(status: ExpenseStatus, before: ActedExpense) {
  if (status === 'approved') {
    const isKept = before.approved_amount !== null && before.approved_amount_currency !== null
    return {
      status,
      approved_amount: isKept ? before.approved_amount : before.amount,
      approved_amount_currency: isKept ? before.approved_amount_currency : before.currency,
    }
  }
  return status === 'noncompliant' ? { status, ignore_noncompliant: before.ignore_noncompliant === true } : { status }
}

/**
 * The writes that bring an expense back to where it was, each refused when somebody else wrote in between; undefined when no
 * way leads back, as from liquidated. Every move makes one version.
 */
export function undoOperations({ before, after }: UndoItem): BatchOperation[] | undefined {
  const way = movesBack(after.status, before.status, after.ignore_noncompliant)
  return way?.map((status, index) => moveOperation(after, { version: after.version + index, body: bodyOf(status, before) }))
}

/** The items that can be undone. */
export function undoable(items: readonly UndoItem[]): UndoItem[] {
  return items.filter((item) => (undoOperations(item)?.length ?? 0) > 0)
}
