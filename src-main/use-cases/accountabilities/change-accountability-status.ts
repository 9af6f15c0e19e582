import type { Row } from '#db/schema'
import { type AccountabilityStatus, decideAccountabilityMove } from '#shared/domain/accountability-status'
import { forbidden, invalid } from '#shared/domain/errors'
import type { LiquidationGroup, LiquidationPlan } from '#shared/domain/liquidation'
import { maximumMinor } from '#shared/domain/money'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findAccountability } from '#main/store/records/settlements/accountability-reader'
import { updateAccountability } from '#main/store/records/settlements/accountability-writer'
import type { Tx } from '#main/store/core/store'
import { assertMayPay } from '../access/duties'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { liquidateThroughAdvancement } from '../expenses/liquidation'
import { settleExpenses } from '../reimbursements/settle-expenses'
import { getVisibleAccountability } from './accountabilities'
import { type ApprovedExpense, planAccountability } from './plan-accountability'

/** Moves an accountability to another status (contract 3.2, supplement 2, "Accountabilities"). Throws {@link DomainError}. */
export async function changeAccountabilityStatus(tx: Tx, id: number, status: AccountabilityStatus): Promise<Row<'accountabilities'>> {
  const { accountability, relation } = await getVisibleAccountability(tx, { id, user_id: tx.actor.user_id })
  const payer = await getWritableOrganization(tx, accountability.payer_id)
  const decision = decideAccountabilityMove(accountability, relation, status)
  if (decision.kind === 'forbidden') throw forbidden()
  await assertFresh(tx, accountability)
  if (decision.kind === 'not_offered') throw invalid('status', 'inclusion')
  if (status === 'approved' || status === 'finished') {
    const { plan, not_approved_ids } = await planAccountability(tx, accountability)
    // An expense may no longer be approved, although the accountability was.
    if (not_approved_ids.length > 0) throw invalid('status', 'not_approved', { ids: not_approved_ids.join(', ') })
    if (status === 'finished') await liquidate(tx, { payer, plan, description: accountability.title })
  }
  const stored = await updateAccountability(tx, accountability, { changes: { status } })
  await recordActivity(tx, {
    organization_id: payer.id,
    subject: { type: 'Accountability', id },
    event: 'accountability_status_changed',
    details: [{ attribute: 'status', from: accountability.status, to: status }],
  })
  return (await findAccountability(tx, id)) ?? stored
}

/** Liquidates every expense by its form; a failure undoes everything, as it is one transaction with the move. */
async function liquidate(
  tx: Tx,
  { payer, plan, description }: { payer: Row<'organizations'>; plan: LiquidationPlan<ApprovedExpense>; description: string },
): Promise<void> {
  for (const { receiver_id, expenses } of [...plan.advancements, ...plan.reimbursements])
    await assertMayPay(tx, { payer_id: payer.id, receiver_id, expense_ids: expenses.map(({ row }) => row.id) })
  for (const group of plan.advancements) for (const { row } of group.expenses) await liquidateThroughAdvancement(tx, row)
  for (const group of plan.reimbursements) {
    assertPayable(group)
    const { receiver_id, currency, amount_minor } = group
    const expenses = group.expenses.map(({ row }) => row)
    const input = { description, date: tx.now }
    await settleExpenses(tx, { payer, receiver_id, currency, amount_minor, expenses, input, tags: [] })
  }
}

function assertPayable({ amount_minor, currency }: LiquidationGroup<ApprovedExpense>): void {
  if (amount_minor > maximumMinor(currency)) throw invalid('status', 'too_large')
}
