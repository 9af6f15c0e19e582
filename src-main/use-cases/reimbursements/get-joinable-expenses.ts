import type { Row } from '#db/schema'
import { invalid } from '#shared/domain/errors'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import type { Reader } from '#main/store/core/store'

/** Whose expenses a reimbursement can pay, and in which currency; without one, all must share theirs. */
export interface JoinKey {
  readonly payer_id: number
  readonly receiver_id: number
  readonly currency?: string
}

/**
 * Expenses to be joined to a reimbursement: each approved, unsettled, of its payer and receiver, all of one approved currency.
 * Throws `invalid` under `expenses` (contract 4.1, supplement 2, "Reimbursements"); a missing one and one of someone else
 * get the same error.
 */
export async function getJoinableExpenses(
  reader: Reader,
  { ids, key }: { ids: readonly number[]; key: JoinKey },
): Promise<Row<'expenses'>[]> {
  const unique = [...new Set(ids)]
  const found = await Promise.all(unique.map((id) => findExpense(reader, id)))
  const own = found.filter((expense) => expense !== undefined).filter((expense) => isUnsettledOf(expense, key))
  const ownIds = new Set(own.map(({ id }) => id))
  refuse(
    'not_joinable',
    unique.filter((id) => !ownIds.has(id)),
  )
  refuse(
    'not_approved',
    own.filter(({ status }) => status !== 'approved').map(({ id }) => id),
  )
  const [first] = own
  const currency = key.currency ?? first?.approved_amount_currency
  if (own.some(({ approved_amount_currency }) => approved_amount_currency !== currency)) throw invalid('expenses', 'mixed_currencies')
  return own
}

function isUnsettledOf(expense: Row<'expenses'>, { payer_id, receiver_id }: JoinKey): boolean {
  return (
    expense.deleted_at === null &&
    expense.payer_id === payer_id &&
    expense.receiver_id === receiver_id &&
    expense.status !== 'liquidated' &&
    expense.reimbursement_id === null &&
    expense.liquidate_through_advancement === 0
  )
}

function refuse(code: string, ids: readonly number[]): void {
  if (ids.length > 0) throw invalid('expenses', code, { ids: ids.join(', ') })
}
