import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { reimbursementRoutes } from '#shared/contract/reimbursements'
import { invalid } from '#shared/domain/errors'
import type { Reader, Tx } from '#main/store/core/store'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'
import { listJoinableExpenses, listReimbursedExpenses } from '#main/store/records/settlements/reimbursed-expense-reader'
import { type Settlement, deleteSettlement } from '#main/store/records/settlements/settlements'
import { assertCurrencyInUse } from '../access/amounts'
import { assertCovered, assertMayPay } from '../access/duties'
import { getPayer } from '../access/get-payer'
import { getVisibleOrganization } from '../access/get-visible-organization'
import { liquidateByReimbursement, returnToApproved } from '../expenses/liquidation'
import { assertRelated, changeSettlement, getWritableSettlement, readMoney } from '../settlements/change-settlement'
import { resolveTags } from '../tags/resolve-tags'
import { getJoinableExpenses } from './get-joinable-expenses'
import { settleExpenses } from './settle-expenses'

/** A preview of a reimbursement; `amount_minor` is the sum of its expenses. */
export interface ReimbursementPreview {
  readonly expenses: Row<'expenses'>[]
  readonly amount_minor: number
}

/** What an organization owes a user in a currency (supplement 2, "Reimbursements"). Throws {@link DomainError}. */
export async function previewReimbursement(
  reader: Reader,
  key: { payer_id: number; receiver_id: number; currency: string },
  user_id: number,
): Promise<ReimbursementPreview> {
  await getVisibleOrganization(reader, { id: key.payer_id, user_id, action: 'reimbursements.write' })
  await assertRelated(reader, key)
  const expenses = await listJoinableExpenses(reader, key)
  return { expenses, amount_minor: expenses.reduce((sum, { approved_amount_minor: minor }) => sum + (minor ?? 0), 0) }
}

/**
 * Creates a reimbursement that pays a user for approved expenses (contract 4.1, supplement 2, "Reimbursements"). Throws {@link DomainError}:
 * `invalid`, `forbidden`, `expired_organization`.
 */
export async function createReimbursement(tx: Tx, input: z.output<typeof reimbursementRoutes.create.body>): Promise<Settlement> {
  const { receiver: receiver_id, amount, expense_ids } = input
  const payer = await getPayer(tx, input.payer, 'reimbursements.write')
  await assertRelated(tx, { payer_id: payer.id, receiver_id })
  await assertMayPay(tx, { payer_id: payer.id, receiver_id, expense_ids: expense_ids ?? [] })
  const key = { payer_id: payer.id, receiver_id, currency: input.currency }
  const expenses = await getJoinableExpenses(tx, { ids: expense_ids ?? [], key })
  const shared = expenses[0]?.approved_amount_currency ?? undefined
  const money = await readMoney(tx, { amount, currency: input.currency ?? shared, receiver: receiver_id })
  // A debt in a withdrawn currency can still be paid.
  assertCurrencyInUse(money.currency, { kept: shared })
  await assertCovered(tx, { payer_id: payer.id, ...money }, expenses)
  const tags = await resolveTags(tx, payer, input.tags ?? [])
  return settleExpenses(tx, { payer, receiver_id, ...money, expenses, input, tags })
}

/** Attributes to change; absent ones stay, and so do the expenses if null. */
type UpdateReimbursement = z.output<typeof reimbursementRoutes.update.body>

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

/** Deletes a reimbursement: the expenses that it paid are approved again (supplement 2, "Reimbursements"). Throws {@link DomainError}. */
export async function deleteReimbursement(tx: Tx, id: number): Promise<void> {
  const reimbursement = await getWritableSettlement(tx, 'reimbursement', { id, action: 'reimbursements.write' })
  for (const expense of await listReimbursedExpenses(tx, [id])) await returnToApproved(tx, expense)
  await deleteSettlement(tx, 'reimbursement', reimbursement)
  await recordActivity(tx, {
    organization_id: reimbursement.payer_id,
    subject: { type: 'Reimbursement', id },
    event: 'reimbursement_destroyed',
  })
}
