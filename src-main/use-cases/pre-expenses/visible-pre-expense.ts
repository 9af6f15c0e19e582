import type { Row } from '#db/schema'
import { forbidden, notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { findPreExpense } from '#main/store/records/expenses/pre-expense-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { assertFresh } from '../access/preconditions'

/** The pre-expense, if the caller may see it; otherwise 404, as for a missing one (contract 4.15). */
export async function getVisiblePreExpense(reader: Reader, { id, user_id }: { id: number; user_id: number }): Promise<Row<'pre_expenses'>> {
  const found = await findPreExpense(reader, id)
  if (!found || !may('pre_expenses.read', { role: undefined, is_receiver: found.receiver_id === user_id })) throw notFound()
  return found
}

/** The pre-expense, if the acting user may change it and has seen its current version. */
export async function getOwnPreExpense(tx: Tx, id: number): Promise<Row<'pre_expenses'>> {
  const { user_id } = tx.actor
  const found = await getVisiblePreExpense(tx, { id, user_id })
  if (!may('pre_expenses.write', { role: undefined, is_receiver: found.receiver_id === user_id })) throw forbidden()
  await assertFresh(tx, found)
  return found
}
