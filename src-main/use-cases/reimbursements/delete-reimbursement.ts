import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { listReimbursedExpenses } from '#main/store/records/settlements/reimbursed-expense-reader'
import { deleteSettlement } from '#main/store/records/settlements/settlement-writer'
import type { Tx } from '#main/store/core/store'
import { returnToApproved } from '../expenses/liquidation'
import { getWritableSettlement } from '../settlements/change-settlement'

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
