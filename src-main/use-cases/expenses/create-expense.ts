import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { expenseRoutes } from '#shared/contract/expenses'
import { invalid } from '#shared/domain/errors'
import { newColumns } from '#shared/records/columns'
import { expense } from '#shared/records/expense'
import { recordActivities } from '#main/store/records/conversations/activity-writer'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { type NewExpense, insertExpenses } from '#main/store/records/expenses/expense-writer'
import type { Tx } from '#main/store/core/store'
import { findUser } from '#main/store/records/users/user-reader'
import { assertCurrencyInUse, toStoredAmount } from '../access/amounts'
import { getPayer } from '../access/get-payer'
import { amountDetails } from '../settlements/change-settlement'
import { matchNewExpense } from '../statements/statement-match-record'
import { learnSupplier } from '../suppliers/learn-supplier'
import { resolveTags } from '../tags/resolve-tags'
import { assertCard, assertReceiver } from './expense-parties'
import { priceDistance } from './price-distance'

/** The input for a new expense; `external_id` is an importer's identity of the row. */
export type CreateExpense = z.output<typeof expenseRoutes.create.body> & { external_id?: string; pre_expense_id?: number }

/** Creates an expense (supplement 2, "Expenses"). Throws {@link DomainError}: `invalid`, `forbidden`, `expired_organization`. */
export async function createExpense(tx: Tx, input: CreateExpense): Promise<Row<'expenses'>> {
  const [row] = await storeExpenses(tx, [await checkExpense(tx, input)])
  if (!row) throw new Error('A new expense is not there.')
  return (input.statement_line_id == null ? undefined : await findExpense(tx, row.id)) ?? { ...row, activities_count: 1 }
}

/** Creates expenses of one caller, all or none; like {@link createExpense}, but stored together. `by`: each as part of a separate operation. */
export async function createExpenses(expenses: ReadonlyArray<{ readonly by: Tx; readonly input: CreateExpense }>): Promise<void> {
  const checked: CheckedExpense[] = []
  for (const { by, input } of expenses) checked.push({ ...(await checkExpense(by, input)), by })
  const [first] = expenses
  if (first) await storeExpenses(first.by, checked)
}

interface CheckedExpense extends NewExpense {
  readonly line_id: number | null
}

async function checkExpense(tx: Tx, input: CreateExpense): Promise<CheckedExpense> {
  const payer = await getPayer(tx, input.payer, 'expenses.create')
  const receiver_id = input.receiver ?? tx.actor.user_id
  await assertReceiver(tx, { payer_id: payer.id, receiver_id })
  await assertCard(tx, { payer_id: payer.id, receiver_id, card_id: input.corporative_card_id ?? null })
  const tags = await resolveTags(tx, payer, input.tags ?? [])
  const values = { ...plainValues(input), payer_id: payer.id, receiver_id, author_id: tx.actor.user_id }
  const money = values.kind === 'distance' ? await priceDistance(tx, payer.id, values) : await readAmount(tx, input, receiver_id)
  // A pre-expense has already been charged in its currency.
  if (input.pre_expense_id === undefined) assertCurrencyInUse(money.currency)
  return { values: { ...values, ...money }, tags, line_id: input.statement_line_id ?? null }
}

async function storeExpenses(tx: Tx, expenses: readonly CheckedExpense[]): Promise<Row<'expenses'>[]> {
  const rows = await insertExpenses(tx, expenses)
  const activities = rows.map((row) => ({
    organization_id: row.payer_id,
    subject: { type: 'Expense' as const, id: row.id },
    event: 'expense_created' as const,
    details: [...amountDetails(row), ...bookingDetails(row)],
  }))
  await recordActivities(tx, activities)
  for (const [index, row] of rows.entries()) {
    const { by = tx, tags, line_id = null } = expenses[index] ?? {}
    await learnSupplier(by, row, tags)
    if (line_id !== null) await matchNewExpense(by, row, line_id)
  }
  return rows
}

function bookingDetails({ booked_on: to }: Row<'expenses'>): ActivityDetail[] {
  return to === null ? [] : [{ attribute: 'booked_on', from: null, to }]
}

async function readAmount(tx: Tx, { amount, currency: given }: CreateExpense, receiver_id: number) {
  if (amount === undefined) throw invalid('amount', 'blank')
  const currency = given ?? (await findUser(tx, receiver_id))?.default_currency
  if (currency === undefined) throw invalid('currency', 'blank')
  return { currency, ...toStoredAmount(amount, { currency, attribute: 'amount' }) }
}

/** A new expense's values without its parties and amounts: as given, otherwise empty. */
export function plainValues(input: Omit<CreateExpense, 'payer' | 'receiver' | 'amount' | 'currency'>) {
  return newColumns(expense.attributes, input)
}
