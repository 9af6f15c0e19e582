import type { Row } from '#db/schema'
import { isApprovedOrSettled } from '#shared/domain/accountability-status'
import { type LiquidationPlan, planLiquidation } from '#shared/domain/liquidation'
import { listAccountabilityExpenses, listSeenExpenseIds } from '#main/store/records/settlements/accountability-reader'
import type { Audience } from '#main/store/sync/audience'
import type { Reader } from '#main/store/core/store'

/** An approved expense, ready to be liquidated. */
export interface ApprovedExpense {
  readonly row: Row<'expenses'>
  readonly receiver_id: number
  readonly approved_amount_minor: number
  readonly approved_amount_currency: string
  readonly is_through_advancement: boolean
}

/** The effect of finishing an accountability, and its expenses that are neither approved nor settled. */
export interface AccountabilityPlan {
  readonly plan: LiquidationPlan<ApprovedExpense>
  readonly not_approved_ids: readonly number[]
}

/**
 * How the expenses of an accountability would be liquidated (contract 3.2, approved and finished). An expense that was paid outside of it is settled:
 * it does not block finishing and is not paid again. With an `audience`, only visible expenses.
 */
export async function planAccountability(
  reader: Reader,
  { id, payer_id }: Pick<Row<'accountabilities'>, 'id' | 'payer_id'>,
  { audience }: { audience?: Audience } = {},
): Promise<AccountabilityPlan> {
  const seen = audience && new Set((await listSeenExpenseIds(reader, [{ id, payer_id }], audience)).get(id))
  const expenses = (await listAccountabilityExpenses(reader, id)).filter((expense) => !seen || seen.has(expense.id))
  const approved = expenses.flatMap((row): ApprovedExpense[] => {
    const { status, receiver_id, approved_amount_minor, approved_amount_currency } = row
    if (status !== 'approved' || approved_amount_minor === null || approved_amount_currency === null) return []
    const is_through_advancement = row.liquidate_through_advancement === 1
    return [{ row, receiver_id, approved_amount_minor, approved_amount_currency, is_through_advancement }]
  })
  return {
    plan: planLiquidation(approved),
    not_approved_ids: expenses.filter((expense) => !isApprovedOrSettled(expense)).map(({ id: expense_id }) => expense_id),
  }
}
