import type { Row } from '#db/schema'
import { listJoinableExpenses } from '#main/store/records/settlements/reimbursed-expense-reader'
import type { Reader } from '#main/store/core/store'
import { getVisibleOrganization } from '../access/get-visible-organization'
import { assertRelated } from '../settlements/settlement-parties'

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
