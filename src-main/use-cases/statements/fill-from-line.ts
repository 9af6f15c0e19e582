import { z } from 'zod'
import type { Row } from '#db/schema'
import { decideExpenseEdit } from '#shared/domain/expense-access'
import { supplierOf } from '#shared/domain/statements/lines'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { updateExpense } from '#main/store/records/expenses/expense-writer'
import { isInClosedMonth } from '#main/store/records/organizations/closed-months'
import { findPreExpense, movePreExpense } from '#main/store/records/expenses/pre-expenses'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findStatementLine } from '#main/store/records/organizations/statement-reader'
import type { Tx } from '#main/store/core/store'
import { expense as definition } from '#shared/records/expense'

const filledSchema = z.object({
  corporative_card_id: z.int().optional(),
  paid_on: z.string().optional(),
  supplier_name: z.string().optional(),
  pre_expense_id: z.int().optional(),
})
type Filled = z.infer<typeof filledSchema>
const filledNames = ['corporative_card_id', 'paid_on', 'supplier_name', 'pre_expense_id'] as const satisfies readonly (keyof Filled)[]

/**
 * Fills what an expense does not say yet: its card, the day it was paid, its supplier; the suggested expense of the line goes with it. Its amount
 * never changes. One that the actor may not edit (settled, of a closed month, approved and their own) stays as it is. Returns what it got, as JSON.
 */
export async function fillFromLine(tx: Tx, line: Row<'statement_lines'>, expense: Row<'expenses'>): Promise<string> {
  if (!(await mayFill(tx, expense))) return '{}'
  const filled: Filled = {
    ...(expense.corporative_card_id === null && { corporative_card_id: line.corporative_card_id }),
    ...(expense.paid_on === null && { paid_on: line.occurred_at }),
    ...((expense.supplier_name ?? '') === '' && { supplier_name: supplierOf(line.name) }),
    ...(await takePreExpense(tx, line, expense)),
  }
  await write(tx, expense, filled)
  return JSON.stringify(filled)
}

/** Empties what an expense got from a line, as far as nobody has changed it since. */
export async function takeBackFilled(
  tx: Tx,
  match: Pick<Row<'statement_matches'>, 'expense_id' | 'filled' | 'statement_line_id'>,
): Promise<void> {
  const filled = filledSchema.parse(JSON.parse(match.filled ?? '{}'))
  const expense = await findExpense(tx, match.expense_id)
  if (expense?.deleted_at !== null || !(await mayFill(tx, expense))) return
  const kept = filledNames.filter((name) => filled[name] !== undefined && expense[name] === filled[name])
  await write(tx, expense, Object.fromEntries(kept.map((name) => [name, null])))
  const pre_expense = filled.pre_expense_id === undefined ? undefined : await findPreExpense(tx, filled.pre_expense_id)
  if (pre_expense?.converted_at != null)
    await movePreExpense(tx, pre_expense, { changes: { converted_at: null }, event: 'pre_expense_restored' })
}

async function takePreExpense(tx: Tx, { id, pre_expense_id }: Row<'statement_lines'>, expense: Row<'expenses'>): Promise<Filled> {
  if (pre_expense_id === null || expense.pre_expense_id !== null || !(await findStatementLine(tx, id))) return {}
  const pre_expense = await findPreExpense(tx, pre_expense_id)
  if (!pre_expense || pre_expense.converted_at !== null) return {}
  await movePreExpense(tx, pre_expense, { changes: { converted_at: tx.now }, event: 'pre_expense_converted' })
  return { pre_expense_id }
}

async function write(tx: Tx, expense: Row<'expenses'>, changes: { [K in keyof Filled]?: Filled[K] | null }): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const stored = await updateExpense(tx, expense, { changes })
  const details = writtenDetails(definition.attributes, expense, stored)
  if (details.length > 0)
    await recordActivity(tx, {
      organization_id: stored.payer_id,
      subject: { type: 'Expense', id: stored.id },
      event: 'expense_updated',
      details,
    })
}

/** Whether the actor may edit the expense (supplement 2, "Who edits"). */
async function mayFill(tx: Tx, expense: Row<'expenses'>): Promise<boolean> {
  const { user_id } = tx.actor
  const role = await findRole(tx, { organization_id: expense.payer_id, user_id })
  const is_closed = await isInClosedMonth(tx, expense)
  return decideExpenseEdit(expense, { role, is_receiver: expense.receiver_id === user_id, is_closed }).kind === 'allowed'
}
