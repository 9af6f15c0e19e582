import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { ActivityEvent } from '#shared/domain/activity-events'
import type { PreExpenseState } from '#shared/domain/pre-expense-state'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { type Changes, type NewRecord, deleteRecord, insertRecords, updateRecord } from '../../core/record-writer'
import { listStatement, statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { recordActivities, recordActivity } from '../conversations/activity-writer'

const findRow = statement<{ id: number }, Row<'pre_expenses'>>((db, p) =>
  db.selectFrom('pre_expenses').selectAll().where('id', '=', p('id')).where('deleted_at', 'is', null),
)
const findByExternalId = statement<{ author_id: number; external_id: string }, Row<'pre_expenses'>>((db, p) =>
  db
    .selectFrom('pre_expenses')
    .selectAll()
    .where('author_id', '=', p('author_id'))
    .where('external_id', '=', p('external_id'))
    .where('deleted_at', 'is', null),
)
const listExpenses = listStatement<number, { id: number; pre_expense_id: number | null }>((db, ids) =>
  db.selectFrom('expenses').select(['id', 'pre_expense_id']).where('pre_expense_id', 'in', ids).where('deleted_at', 'is', null),
)

const states: Readonly<Record<PreExpenseState, RawBuilder<SqlBool>>> = {
  waiting_approval: sql`pre_expenses.converted_at is null and pre_expenses.ignored_at is null`,
  ignored: sql`pre_expenses.converted_at is null and pre_expenses.ignored_at is not null`,
  converted: sql`pre_expenses.converted_at is not null`,
}

/** A pre-expense by id. */
export function findPreExpense(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}

/** The pre-expense that an integration made for this external id. */
export function findPreExpenseByExternalId(reader: Reader, key: { author_id: number; external_id: string }) {
  return reader.first(findByExternalId, key)
}

/** A page of a user's pre-expenses in one state (contract 4.15). */
export function listPreExpenses(
  reader: Reader,
  { user_id, state }: { user_id: number; state: PreExpenseState },
  query: ListQuery,
): Promise<Page<Row<'pre_expenses'>>> {
  const where = () => [sql<SqlBool>`pre_expenses.receiver_id = ${user_id}`, states[state]]
  return readPage(reader, 'pre_expenses', { user_id, within: state, query, where })
}

/** The expenses made from pre-expenses, by pre-expense id. */
export async function listExpenseIdsOf(reader: Reader, ids: readonly number[]): Promise<Map<number | null, number>> {
  const rows = await reader.allOf(listExpenses, ids)
  return new Map(rows.map(({ id, pre_expense_id }) => [pre_expense_id, id]))
}

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
