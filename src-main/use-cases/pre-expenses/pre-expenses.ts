import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { preExpenseRoutes } from '#shared/contract/pre-expenses'
import { DomainError, forbidden, invalid, notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { type PreExpenseMove, decidePreExpenseMove, preExpenseStateOf } from '#shared/domain/pre-expense-state'
import type { Reader, Tx } from '#main/store/core/store'
import { deletePreExpense as storeDeletion, findPreExpense, movePreExpense } from '#main/store/records/expenses/pre-expenses'
import { findLineOfPreExpense } from '#main/store/records/organizations/statement-reader'
import { assertCurrencyInUse } from '../access/amounts'
import { assertFresh } from '../access/preconditions'
import { createExpense } from '../expenses/create-expense'

/** The pre-expense, if the caller may see it; otherwise 404, as for a missing one (contract 4.15). */
export async function getVisiblePreExpense(reader: Reader, { id, user_id }: { id: number; user_id: number }): Promise<Row<'pre_expenses'>> {
  const found = await findPreExpense(reader, id)
  if (!found || !may('pre_expenses.read', { role: undefined, is_receiver: found.receiver_id === user_id })) throw notFound()
  return found
}

/** The pre-expense, if the acting user may change it and has seen its current version. */
async function getOwnPreExpense(tx: Tx, id: number): Promise<Row<'pre_expenses'>> {
  const { user_id } = tx.actor
  const found = await getVisiblePreExpense(tx, { id, user_id })
  if (!may('pre_expenses.write', { role: undefined, is_receiver: found.receiver_id === user_id })) throw forbidden()
  await assertFresh(tx, found)
  return found
}

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
function isMoved(pre_expense: Row<'pre_expenses'>, move: PreExpenseMove): boolean {
  const outcome = decidePreExpenseMove(preExpenseStateOf(pre_expense), move)
  if (outcome.kind === 'not_possible') throw new DomainError({ kind: 'not_possible', code: `${outcome.because}_pre_expense` })
  return outcome.kind === 'moved'
}

/** The input for the expense; absent values come from the pre-expense. */
type ConvertPreExpense = z.output<typeof preExpenseRoutes.convert.body>

/**
 * Converts a pre-expense into an expense, by the rules of every new expense (contract 4.15; supplement 3, "Convert"). Throws {@link DomainError} for
 * an ignored or converted one, and the errors of creating an expense.
 */
export async function convertPreExpense(tx: Tx, id: number, input: ConvertPreExpense): Promise<Row<'expenses'>> {
  const pre_expense = await getOwnPreExpense(tx, id)
  isMoved(pre_expense, 'convert')
  const { currency = pre_expense.currency ?? undefined, description = pre_expense.description, tags = pre_expense.tags } = input
  if (input.currency !== undefined) assertCurrencyInUse(input.currency, { kept: pre_expense.currency })
  const occurred_at = input.occurred_at ?? pre_expense.occurred_at
  if (occurred_at === null) throw invalid('occurred_at', 'blank')
  await movePreExpense(tx, pre_expense, { changes: { converted_at: tx.now }, event: 'pre_expense_converted' })
  const line = await findLineOfPreExpense(tx, id)
  const statement_line_id = line?.organization_id === input.payer ? line?.id : undefined
  return createExpense(tx, { ...input, occurred_at, currency, description, tags, pre_expense_id: id, statement_line_id })
}
