import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { reindexExpense, isReworded } from './expense-search'
import { type Changes, type NewRecord, deleteRecord, insertRecord, touchRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

const deleteTags = statement<{ expense_id: number }, unknown>((db, p) =>
  db.deleteFrom('expense_tags').where('expense_id', '=', p('expense_id')),
)
const insertTag = statement<Row<'expense_tags'>, unknown>((db, p) =>
  db.insertInto('expense_tags').values({ expense_id: p('expense_id'), tag_id: p('tag_id'), position: p('position') }),
)
const countAttachments = statement<{ id: number }, unknown>((db, p) =>
  db
    .updateTable('expenses')
    .where('id', '=', p('id'))
    .set({
      attachments_count: sql`(select count(*) from attachments where expense_id = ${p('id')} and deleted_at is null)`,
    }),
)
const countComments = statement<{ id: number }, unknown>((db, p) =>
  db
    .updateTable('expenses')
    .where('id', '=', p('id'))
    .set({
      comments_count: sql`(select count(*) from comments where expense_id = ${p('id')} and deleted_at is null)`,
    }),
)
function scopeOf({ payer_id, receiver_id }: { payer_id: number; receiver_id: number }) {
  return { organization_id: payer_id, user_id: receiver_id }
}

/** Stores a new expense with its tags. */
export async function insertExpense(
  tx: Tx,
  values: NewRecord<'expenses'>,
  tags: ReadonlyArray<Row<'tags'>>,
): Promise<Row<'expenses'>> {
  const row = await insertRecord(tx, 'expenses', { values, scope: scopeOf(values) })
  await writeTags(tx, row.id, tags)
  reindexExpense(tx, row.id)
  return row
}

/** Changes an expense; `tags`, when given, replace those it has. Nothing to change: nothing is written. */
export async function updateExpense(
  tx: Tx,
  row: Row<'expenses'>,
  { changes, tags }: { changes: Changes<'expenses'>; tags?: ReadonlyArray<Row<'tags'>> },
): Promise<Row<'expenses'>> {
  let stored = await updateRecord(tx, 'expenses', { row, changes, scope: scopeOf(row) })
  if (tags) {
    await tx.run(deleteTags, { expense_id: row.id })
    await writeTags(tx, row.id, tags)
    if (stored.version === row.version) stored = await touchRecord(tx, 'expenses', { row, scope: scopeOf(row) })
  }
  if (tags || isReworded(row, stored)) reindexExpense(tx, row.id)
  return stored
}

/** Raises the version of an expense whose receipts or comments have changed, and recounts them. */
export async function touchExpense(tx: Tx, row: Row<'expenses'>, part: 'receipts' | 'comments'): Promise<Row<'expenses'>> {
  await tx.run(part === 'comments' ? countComments : countAttachments, { id: row.id })
  return touchRecord(tx, 'expenses', { row, scope: scopeOf(row), part })
}

/** Deletes an expense: final outside, kept inside. */
export async function deleteExpense(tx: Tx, row: Row<'expenses'>): Promise<void> {
  await deleteRecord(tx, 'expenses', { row, scope: scopeOf(row) })
  reindexExpense(tx, row.id)
}

async function writeTags(tx: Tx, expense_id: number, tags: ReadonlyArray<Row<'tags'>>): Promise<void> {
  for (const [position, { id: tag_id }] of tags.entries()) await tx.run(insertTag, { expense_id, tag_id, position })
}
