import type { Row } from '#db/schema'
import { toScaled } from '#shared/domain/money'
import { type PlainInput, newColumns } from '#shared/records/columns'
import { reimbursement } from '#shared/records/reimbursement'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { insertSettlement } from '#main/store/records/settlements/settlements'
import type { Tx } from '#main/store/core/store'
import { liquidateByReimbursement } from '../expenses/liquidation'
import { amountDetails } from '../settlements/change-settlement'

/** A new reimbursement and the expenses that it pays. */
export interface SettleExpenses {
  readonly payer: Row<'organizations'>
  readonly receiver_id: number
  readonly currency: string
  /** The paid amount in minor units; it may differ from the sum of the expenses (supplement 3). */
  readonly amount_minor: number
  /** Each approved, unsettled, not flagged `liquidate_through_advancement`, with this payer, receiver and approved currency. */
  readonly expenses: ReadonlyArray<Row<'expenses'>>
  /** Its other attributes. */
  readonly input: PlainInput<typeof reimbursement.attributes> & { readonly date: string }
  readonly tags: ReadonlyArray<Row<'tags'>>
}

/**
 * Stores a reimbursement and liquidates its expenses, with entries in the audit trail (supplement 2, "Reimbursements"). The caller checks
 * permissions, and which expenses may be joined.
 */
export async function settleExpenses(
  tx: Tx,
  { payer, receiver_id, currency, amount_minor, input, expenses, tags }: SettleExpenses,
): Promise<Row<'reimbursements'>> {
  const values = {
    ...newColumns(reimbursement.attributes, input),
    payer_id: payer.id,
    receiver_id,
    responsible_user_id: tx.actor.user_id,
    amount_minor,
    amount_scaled: toScaled(amount_minor, currency),
    currency,
  }
  const row = await insertSettlement(tx, 'reimbursement', { values, tags })
  await recordActivity(tx, {
    organization_id: payer.id,
    subject: { type: 'Reimbursement', id: row.id },
    event: 'reimbursement_created',
    details: amountDetails(row),
  })
  for (const expense of expenses) await liquidateByReimbursement(tx, expense, row.id)
  return { ...row, activities_count: 1 }
}
