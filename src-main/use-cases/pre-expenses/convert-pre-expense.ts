import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { preExpenseRoutes } from '#shared/contract/pre-expenses'
import { invalid } from '#shared/domain/errors'
import { movePreExpense } from '#main/store/records/expenses/pre-expense-writer'
import type { Tx } from '#main/store/core/store'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { findLineOfPreExpense } from '#main/store/records/organizations/statement-reader'
import { assertCurrencyInUse } from '../access/amounts'
import { createExpense } from '../expenses/create-expense'
import { matchLine } from '../statements/statement-match-record'
import { getOwnPreExpense } from './visible-pre-expense'
import { isMoved } from './pre-expense-moves'

/** The input for the expense; absent values come from the pre-expense. */
export type ConvertPreExpense = z.output<typeof preExpenseRoutes.convert.body>

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
  const expense = await createExpense(tx, { ...input, occurred_at, currency, description, tags, pre_expense_id: id })
  await movePreExpense(tx, pre_expense, { changes: { converted_at: tx.now }, event: 'pre_expense_converted' })
  const line = await findLineOfPreExpense(tx, id)
  if (!line || line.organization_id !== expense.payer_id) return expense
  await matchLine(tx, { line, expense })
  return (await findExpense(tx, expense.id)) ?? expense
}
