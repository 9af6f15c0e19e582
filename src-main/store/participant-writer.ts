import type { Row } from '#db/schema'
import { isParticipant } from './expense-reader'
import { insertRecord } from './record-writer'
import type { Tx } from './store'

/** Makes a user a participant of an expense; one who is stays one (contract 4.12). */
export async function addExpenseParticipant(tx: Tx, expense: Row<'expenses'>, user_id: number): Promise<void> {
  if (await isParticipant(tx, { expense_id: expense.id, user_id })) return
  insertRecord(tx, 'participants', {
    values: { user_id, expense_id: expense.id, advancement_id: null, reimbursement_id: null },
    scope: { organization_id: expense.payer_id, user_id },
  })
}
