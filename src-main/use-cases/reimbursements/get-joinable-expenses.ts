import type { Row } from '#db/schema'
import { invalid } from '#shared/domain/errors'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import type { Reader } from '#main/store/core/store'

/** The payer, receiver and currency of a reimbursement; without a currency, all expenses must share theirs. */
export interface JoinKey {
  readonly payer_id: number
  readonly receiver_id: number
  readonly currency?: string
}

/**
 * Expenses for a reimbursement: each approved, unsettled, with its payer and receiver, all in one approved currency. Throws `invalid` under
 * `expenses` (contract 4.1, supplement 2, "Reimbursements"); a missing expense and someone else's get the same error.
 */
export async function getJoinableExpenses(
  reader: Reader,
  { ids, key }: { ids: readonly number[]; key: JoinKey },
): Promise<Row<'expenses'>[]> {
  const unique = [...new Set(ids)]
  const found = (await Promise.all(unique.map((id) => findExpense(reader, id)))).filter((expense) => expense !== undefined)
  assertUnpaid(found.filter((expense) => isOf(expense, key)))
  const own = found.filter((expense) => isOf(expense, key) && isUnsettled(expense))
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

function isOf({ deleted_at, payer_id, receiver_id }: Row<'expenses'>, key: JoinKey): boolean {
  return deleted_at === null && payer_id === key.payer_id && receiver_id === key.receiver_id
}

function isUnsettled({ status, reimbursement_id, liquidate_through_advancement }: Row<'expenses'>): boolean {
  return status !== 'liquidated' && reimbursement_id === null && liquidate_through_advancement === 0
}

/** Throws for paid expenses, and names them: the person who pays sees all of the payer's payments. */
function assertUnpaid(expenses: ReadonlyArray<Row<'expenses'>>): void {
  const paid = expenses.filter(({ reimbursement_id }) => reimbursement_id !== null)
  if (paid.length === 0) return
  const payments = [...new Set(paid.map(({ reimbursement_id }) => reimbursement_id))]
  throw invalid('expenses', 'already_paid', { ids: paid.map(({ id }) => id).join(', '), payments: payments.join(', ') })
}

function refuse(code: string, ids: readonly number[]): void {
  if (ids.length > 0) throw invalid('expenses', code, { ids: ids.join(', ') })
}
