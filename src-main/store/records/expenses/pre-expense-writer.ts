import type { Row } from '#db/schema'
import type { ActivityEvent } from '#shared/domain/activity-events'
import { recordActivity } from '../conversations/activity-writer'
import { type Changes, type NewRecord, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

type PreExpense = Row<'pre_expenses'>

/** Stores a new pre-expense. It belongs to its receiver; no organization is involved yet. */
export async function insertPreExpense(tx: Tx, values: NewRecord<'pre_expenses'>): Promise<PreExpense> {
  const stored = await insertRecord(tx, 'pre_expenses', { values, scope: scopeOf(values) })
  await tell(tx, stored, 'pre_expense_created')
  return stored
}

/** Moves a pre-expense to another state. */
export async function movePreExpense(
  tx: Tx,
  row: PreExpense,
  { changes, event }: { changes: Pick<Changes<'pre_expenses'>, 'ignored_at' | 'converted_at'>; event: ActivityEvent },
): Promise<PreExpense> {
  const stored = await updateRecord(tx, 'pre_expenses', { row, changes, scope: scopeOf(row) })
  await tell(tx, stored, event)
  return stored
}

/** Deletes a pre-expense: gone for callers, kept internally. */
export async function deletePreExpense(tx: Tx, row: PreExpense): Promise<void> {
  await deleteRecord(tx, 'pre_expenses', { row, scope: scopeOf(row) })
  await tell(tx, row, 'pre_expense_destroyed')
}

async function tell(tx: Tx, { id }: PreExpense, event: ActivityEvent): Promise<void> {
  await recordActivity(tx, { organization_id: null, subject: { type: 'PreExpense', id }, event })
}
function scopeOf({ receiver_id }: { receiver_id: number }) {
  return { organization_id: null, user_id: receiver_id }
}
