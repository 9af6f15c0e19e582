import type { Row } from '#db/schema'
import { DomainError } from '#shared/domain/errors'
import { type PreExpenseMove, decidePreExpenseMove, preExpenseStateOf } from '#shared/domain/pre-expense-state'
import { deletePreExpense as storeDeletion, movePreExpense } from '#main/store/records/expenses/pre-expense-writer'
import type { Tx } from '#main/store/core/store'
import { getOwnPreExpense } from './visible-pre-expense'

/** Removes a pre-expense from the default list; does nothing if it is ignored already (contract 3.3). Throws {@link DomainError}. */
export async function ignorePreExpense(tx: Tx, id: number): Promise<Row<'pre_expenses'>> {
  const pre_expense = await getOwnPreExpense(tx, id)
  if (!isMoved(pre_expense, 'ignore')) return pre_expense
  return movePreExpense(tx, pre_expense, { changes: { ignored_at: tx.now }, event: 'pre_expense_ignored' })
}

/** Returns an ignored pre-expense to the default list; does nothing if it is there (contract 3.3). Throws {@link DomainError}. */
export async function restorePreExpense(tx: Tx, id: number): Promise<Row<'pre_expenses'>> {
  const pre_expense = await getOwnPreExpense(tx, id)
  if (!isMoved(pre_expense, 'restore')) return pre_expense
  return movePreExpense(tx, pre_expense, { changes: { ignored_at: null }, event: 'pre_expense_restored' })
}

/** Deletes a pre-expense in any state; an expense made from it stays (contract 3.3). Throws {@link DomainError}. */
export async function deletePreExpense(tx: Tx, id: number): Promise<void> {
  await storeDeletion(tx, await getOwnPreExpense(tx, id))
}

/** Whether the move changes anything. Throws {@link DomainError} for a move that nobody could make now. */
export function isMoved(pre_expense: Row<'pre_expenses'>, move: PreExpenseMove): boolean {
  const outcome = decidePreExpenseMove(preExpenseStateOf(pre_expense), move)
  if (outcome.kind === 'not_possible') throw new DomainError({ kind: 'not_possible', code: `${outcome.because}_pre_expense` })
  return outcome.kind === 'moved'
}
