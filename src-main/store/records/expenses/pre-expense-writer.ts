import type { Row } from '#db/schema'
import type { ActivityEvent } from '#shared/domain/activity-events'
import { recordActivities, recordActivity } from '../conversations/activity-writer'
import { type Changes, type NewRecord, deleteRecord, insertRecords, updateRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

type PreExpense = Row<'pre_expenses'>

/** Stores a new pre-expense. It belongs to its receiver; no organization is involved yet. */
export async function insertPreExpense(tx: Tx, values: NewRecord<'pre_expenses'>): Promise<PreExpense> {
  const [stored] = await insertPreExpenses(tx, [values])
  if (!stored) throw new Error('A new pre-expense is not there.')
  return stored
}

/** Stores new pre-expenses together; returns them in order. */
export async function insertPreExpenses(tx: Tx, all: ReadonlyArray<NewRecord<'pre_expenses'>>): Promise<PreExpense[]> {
  if (all.length === 0) return []
  const stored = await insertRecords(
    tx,
    'pre_expenses',
    all.map((values) => ({ values, scope: scopeOf(values) })),
  )
  await recordActivities(
    tx,
    stored.map((row) => told(row, 'pre_expense_created')),
  )
  return stored
}

/** Moves a pre-expense to another state. */
export async function movePreExpense(
  tx: Tx,
  row: PreExpense,
  { changes, event }: { changes: Pick<Changes<'pre_expenses'>, 'ignored_at' | 'converted_at'>; event: ActivityEvent },
): Promise<PreExpense> {
  const stored = await updateRecord(tx, 'pre_expenses', { row, changes, scope: scopeOf(row) })
  await recordActivity(tx, told(stored, event))
  return stored
}

/** Deletes a pre-expense: gone for callers, kept internally. */
export async function deletePreExpense(tx: Tx, row: PreExpense): Promise<void> {
  await deleteRecord(tx, 'pre_expenses', { row, scope: scopeOf(row) })
  await recordActivity(tx, told(row, 'pre_expense_destroyed'))
}

const told = ({ id }: PreExpense, event: ActivityEvent) => ({ organization_id: null, subject: { type: 'PreExpense' as const, id }, event })
function scopeOf({ receiver_id }: { receiver_id: number }) {
  return { organization_id: null, user_id: receiver_id }
}
