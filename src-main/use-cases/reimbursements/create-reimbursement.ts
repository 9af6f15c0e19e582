import type { z } from 'zod'
import type { reimbursementRoutes } from '#shared/contract/reimbursements'
import type { Settlement } from '#main/store/records/settlements/settlement-tables'
import type { Tx } from '#main/store/core/store'
import { assertCurrencyInUse } from '../access/amounts'
import { assertCovered, assertMayPay } from '../access/duties'
import { getPayer } from '../access/get-payer'
import { assertRelated, readMoney } from '../settlements/settlement-parties'
import { resolveTags } from '../tags/resolve-tags'
import { getJoinableExpenses } from './get-joinable-expenses'
import { settleExpenses } from './settle-expenses'

/** The input for a new reimbursement. */
export type CreateReimbursement = z.output<typeof reimbursementRoutes.create.body>

/**
 * Creates a reimbursement that pays a user for approved expenses (contract 4.1, supplement 2, "Reimbursements"). Throws {@link DomainError}:
 * `invalid`, `forbidden`, `expired_organization`.
 */
export async function createReimbursement(tx: Tx, input: CreateReimbursement): Promise<Settlement> {
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
