import { z } from 'zod'
import type { Row } from '#db/schema'
import { decideExpenseEdit } from '#shared/domain/expense-access'
import { supplierOf } from '#shared/domain/statements/lines'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { updateExpense } from '#main/store/records/expenses/expense-writer'
import { isInClosedMonth } from '#main/store/records/organizations/closed-months'
import { findPreExpense, listExpenseIdsOf, movePreExpense } from '#main/store/records/expenses/pre-expenses'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { type OrganizationRow, toOrganizationRow, updateOrganizationRecord } from '#main/store/records/organizations/organization-records'
import { findStatementLine, isOpenLine, listMatchesOfExpense } from '#main/store/records/organizations/statement-reader'
import type { Tx } from '#main/store/core/store'
import { expense as definition } from '#shared/records/expense'
import { statementMatch } from '#shared/records/statement-match'

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
  const isTaken = await takeSuggested(tx, line)
  if (!(await mayFill(tx, expense))) return '{}'
  const filled: Filled = {
    ...(expense.corporative_card_id === null && { corporative_card_id: line.corporative_card_id }),
    ...(expense.paid_on === null && { paid_on: line.occurred_at }),
    ...((expense.supplier_name ?? '') === '' && { supplier_name: supplierOf(line.name) }),
    ...(isTaken && expense.pre_expense_id === null && line.pre_expense_id !== null && { pre_expense_id: line.pre_expense_id }),
  }
  await write(tx, expense, filled)
  return JSON.stringify(filled)
}

/** Empties what an expense got from a line, as far as nobody has changed it since. A line without an expense is suggested again. */
export async function takeBackFilled(
  tx: Tx,
  match: Pick<Row<'statement_matches'>, 'expense_id' | 'filled' | 'statement_line_id'>,
): Promise<void> {
  const filled = filledSchema.parse(JSON.parse(match.filled ?? '{}'))
  const expense = await findExpense(tx, match.expense_id)
  if (expense?.deleted_at === null && (await mayFill(tx, expense))) {
    const [other] = await listMatchesOfExpense(tx, expense.id)
    const names = other ? (['pre_expense_id'] as const) : filledNames
    const kept = names.filter((name) => filled[name] !== undefined && expense[name] === filled[name])
    await write(tx, expense, Object.fromEntries(kept.map((name) => [name, null])))
    if (other) await handOver(tx, filled, toOrganizationRow<'statement_matches'>(other))
  }
  await suggestAgain(tx, match.statement_line_id)
}

/** Another line of the expense takes the place of the one that filled it: the card and the day of payment stay until its match ends, too. */
async function handOver(tx: Tx, { pre_expense_id: _, ...filled }: Filled, row: OrganizationRow<'statement_matches'>): Promise<void> {
  const own = filledSchema.parse(JSON.parse(row.filled ?? '{}'))
  await updateOrganizationRecord(tx, statementMatch, { row, changes: { filled: JSON.stringify({ ...filled, ...own }) } })
}

/** Takes the suggested expense of a line out of its holder's list; whether it was there. */
async function takeSuggested(tx: Tx, { pre_expense_id }: Row<'statement_lines'>): Promise<boolean> {
  const pre_expense = pre_expense_id === null ? undefined : await findPreExpense(tx, pre_expense_id)
  if (pre_expense?.converted_at !== null) return false
  await movePreExpense(tx, pre_expense, { changes: { converted_at: tx.now }, event: 'pre_expense_converted' })
  return true
}

/** Takes the suggested expense of a line that has a reason for none out of its holder's list, and puts it back without one. */
export async function suggestByReason(tx: Tx, { pre_expense_id, reason }: Row<'statement_lines'>): Promise<void> {
  const pre_expense = pre_expense_id === null ? undefined : await findPreExpense(tx, pre_expense_id)
  if (pre_expense?.converted_at !== null || (pre_expense.ignored_at === null) === (reason === null)) return
  const isBack = reason === null
  await movePreExpense(tx, pre_expense, {
    ...{ changes: { ignored_at: isBack ? null : tx.now }, event: isBack ? 'pre_expense_restored' : 'pre_expense_ignored' },
  })
}

async function suggestAgain(tx: Tx, line_id: number): Promise<void> {
  const line = (await isOpenLine(tx, line_id)) ? await findStatementLine(tx, line_id) : undefined
  const pre_expense = line?.pre_expense_id == null ? undefined : await findPreExpense(tx, line.pre_expense_id)
  if (pre_expense?.converted_at == null || (await listExpenseIdsOf(tx, [pre_expense.id])).size > 0) return
  await movePreExpense(tx, pre_expense, { changes: { converted_at: null }, event: 'pre_expense_restored' })
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
