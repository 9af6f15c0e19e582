import type { z } from 'zod'
import type { reimbursementRoutes } from '#shared/contract/reimbursements'
import { invalid } from '#shared/domain/errors'
import type { ActivityDetail } from '#main/store/records/conversations/new-activity'
import { listReimbursedExpenses } from '#main/store/records/settlements/reimbursed-expense-reader'
import type { Settlement } from '#main/store/records/settlements/settlement-tables'
import type { Tx } from '#main/store/core/store'
import { assertCovered, assertMayPay } from '../access/duties'
import { liquidateByReimbursement, returnToApproved } from '../expenses/liquidation'
import { changeSettlement, getWritableSettlement } from '../settlements/change-settlement'
import { getJoinableExpenses } from './get-joinable-expenses'

/** Attributes to change; absent ones stay, and so do the expenses if null. */
export type UpdateReimbursement = z.output<typeof reimbursementRoutes.update.body>

/** Changes a reimbursement (contract 4.1). `expense_ids` replaces its expenses: removed ones are approved again. Throws {@link DomainError}. */
export async function updateReimbursement(tx: Tx, id: number, input: UpdateReimbursement): Promise<Settlement> {
  const settlement = await getWritableSettlement(tx, 'reimbursement', { id, action: 'reimbursements.write' })
  const { expense_ids, ...attributes } = input
  const joined = await listReimbursedExpenses(tx, [id])
  const joinedIds = joined.map((expense) => expense.id)
  const wanted = [...new Set(expense_ids ?? joinedIds)].sort((a, b) => a - b)
  const dropped = joined.filter((expense) => !wanted.includes(expense.id))
  if (dropped.length < joined.length) assertKept(settlement, attributes)
  for (const expense of dropped) await returnToApproved(tx, expense)
  const details = expenseDetails(joinedIds, wanted)
  const addedIds = wanted.filter((one) => !joinedIds.includes(one))
  if (addedIds.length > 0) await assertMayPay(tx, { ...settlement, expense_ids: addedIds })
  const stored = await changeSettlement(tx, 'reimbursement', { settlement, input: attributes, expense_ids: wanted, details })
  const added = await getJoinableExpenses(tx, { ids: addedIds, key: stored })
  const isSame = details.length === 0 && settlement.receiver_id === stored.receiver_id && settlement.currency === stored.currency
  // A lower amount is always allowed.
  if (!isSame || stored.amount_minor > settlement.amount_minor)
    await assertCovered(tx, stored, [...joined.filter((expense) => !dropped.includes(expense)), ...added])
  for (const expense of added) await liquidateByReimbursement(tx, expense, id)
  return stored
}

/** Throws for changes that break the rule of joined expenses: one receiver, one currency. */
function assertKept({ receiver_id, currency }: Settlement, input: Omit<UpdateReimbursement, 'expense_ids'>): void {
  if ((input.receiver ?? receiver_id) !== receiver_id) throw invalid('receiver', 'joined_expenses')
  if ((input.currency ?? currency) !== currency) throw invalid('currency', 'joined_expenses')
}

function expenseDetails(before: readonly number[], after: readonly number[]): ActivityDetail[] {
  const [from, to] = [before.join(', '), after.join(', ')]
  return from === to ? [] : [{ attribute: 'expense_ids', from, to }]
}
