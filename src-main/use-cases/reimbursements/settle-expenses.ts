import type { Row } from '#db/schema'
import { fromMinor, toScaled } from '#shared/domain/money'
import { recordActivity } from '#main/store/activity-writer'
import { findSettlement } from '#main/store/settlement-reader'
import { insertSettlement } from '#main/store/settlement-writer'
import type { Tx } from '#main/store/store'
import { liquidateByReimbursement } from '../expenses/liquidate'

/** A reimbursement to be made, and the expenses that it pays. */
export interface SettleExpenses {
  readonly payer: Row<'organizations'>
  readonly receiver_id: number
  readonly currency: string
  /** What is paid, in minor units of the currency; it need not be the sum of the expenses (supplement 3). */
  readonly amount_minor: number
  /** Each approved, unsettled, not flagged `liquidate_through_advancement`, of this payer, receiver and approved currency. */
  readonly expenses: ReadonlyArray<Row<'expenses'>>
  readonly description: string | null
  readonly date: string
  readonly tags: ReadonlyArray<Row<'tags'>>
}

/**
 * Stores a reimbursement and liquidates the expenses that it pays, with all their places in the audit trail (supplement 2,
 * "Reimbursements"). Who may, and which expenses may be joined, is the caller's to ask.
 */
export async function settleExpenses(tx: Tx, input: SettleExpenses): Promise<Row<'reimbursements'>> {
  const { payer, receiver_id, currency, amount_minor, description, date, expenses, tags } = input
  const values = {
    payer_id: payer.id,
    receiver_id,
    responsible_user_id: tx.actor.user_id,
    description,
    amount_minor,
    amount_scaled: toScaled(amount_minor, currency),
    currency,
    date,
  }
  const { id } = await insertSettlement(tx, 'reimbursement', { values, tags })
  recordActivity(tx, {
    organization_id: payer.id,
    subject: { type: 'Reimbursement', id },
    event: 'reimbursement_created',
    details: [
      { attribute: 'amount', from: null, to: fromMinor(amount_minor, currency) },
      { attribute: 'currency', from: null, to: currency },
    ],
  })
  for (const expense of expenses) await liquidateByReimbursement(tx, expense, id)
  const stored = await findSettlement(tx, 'reimbursement', id)
  if (!stored) throw new Error('A reimbursement was not stored.')
  return stored
}
