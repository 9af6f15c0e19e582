import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { exponentOf } from '#shared/domain/currencies'
import { indexExpense, unindexExpense } from './expense-search'
import { type Changes, type NewRecord, deleteRecord, insertRecord, touchRecord, updateRecord } from './record-writer'
import { listTagNamesOf } from './expense-reader'
import { listStatement, statement } from './statement'
import type { Tx } from './store'
import { listUsersByIds } from './user-reader'

/** How many expenses are found anew between two turns of others. */
const foundPage = 100

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
const listTagged = statement<{ tag_id: number }, { expense_id: number }>((db, p) =>
  db.selectFrom('expense_tags').select('expense_id').where('tag_id', '=', p('tag_id')),
)

const listByIds = listStatement<number, Row<'expenses'>>((db, ids) =>
  db.selectFrom('expenses').selectAll().where('id', 'in', ids),
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
  const row = insertRecord(tx, 'expenses', { values, scope: scopeOf(values) })
  await writeTags(tx, row.id, tags)
  findAnew(tx, row.id)
  return row
}

/** Changes an expense; `tags`, when given, replace those it has. Nothing to change: nothing is written. */
export async function updateExpense(
  tx: Tx,
  row: Row<'expenses'>,
  { changes, tags }: { changes: Changes<'expenses'>; tags?: ReadonlyArray<Row<'tags'>> },
): Promise<Row<'expenses'>> {
  let stored = updateRecord(tx, 'expenses', { row, changes, scope: scopeOf(row) })
  if (tags) {
    await tx.run(deleteTags, { expense_id: row.id })
    await writeTags(tx, row.id, tags)
    if (stored.version === row.version) stored = touchRecord(tx, 'expenses', { row, scope: scopeOf(row) })
  }
  const isReworded =
    stored.description !== row.description || stored.location !== row.location || stored.amount_minor !== row.amount_minor
  if (tags || isReworded || stored.receiver_id !== row.receiver_id) findAnew(tx, row.id)
  return stored
}

/** Raises the version of an expense whose receipts or comments have changed, and counts them anew. */
export async function touchExpense(tx: Tx, row: Row<'expenses'>, part: 'receipts' | 'comments'): Promise<Row<'expenses'>> {
  await tx.run(part === 'comments' ? countComments : countAttachments, { id: row.id })
  return touchRecord(tx, 'expenses', { row, scope: scopeOf(row), part })
}

/** Deletes an expense: final outside, kept inside. */
export function deleteExpense(tx: Tx, row: Row<'expenses'>): void {
  deleteRecord(tx, 'expenses', { row, scope: scopeOf(row) })
  findAnew(tx, row.id)
}

async function writeTags(tx: Tx, expense_id: number, tags: ReadonlyArray<Row<'tags'>>): Promise<void> {
  for (const [position, { id: tag_id }] of tags.entries()) await tx.run(insertTag, { expense_id, tag_id, position })
}

/**
 * Has search find an expense by what it is when the transaction ends; its version stays. Once for all of them: at every savepoint
 * SQLite writes out what the index has gathered.
 */
export function findAnew(tx: Tx, expense_id: number): void {
  tx.deriveLater(indexExpenses, expense_id)
}

/** Has search find the expenses that carry a tag by the name that it has when the transaction ends. */
export async function findTaggedAnew(tx: Tx, tag_id: number): Promise<void> {
  for (const { expense_id } of await tx.all(listTagged, { tag_id })) findAnew(tx, expense_id)
}

/** A tag may stand on most of an organization's expenses: between pages of them, reads get their turn. */
async function indexExpenses(tx: Tx, expense_ids: readonly number[]): Promise<void> {
  // Upwards: each step back makes the index write out what it has gathered.
  const ids = expense_ids.toSorted((a, b) => a - b)
  for (let start = 0; start < ids.length; start += foundPage) {
    if (start > 0) await nextTurn()
    await indexPage(tx, ids.slice(start, start + foundPage))
  }
}

/** Search finds an expense by its texts, its tags, its receiver and its amount as people write it. */
async function indexPage(tx: Tx, ids: readonly number[]): Promise<void> {
  const rows = (await tx.allOf(listByIds, ids)).filter(({ deleted_at }) => deleted_at === null)
  const tags = await listTagNamesOf(tx, ids)
  const receivers = await listUsersByIds(tx, [...new Set(rows.map(({ receiver_id }) => receiver_id))])
  const names = new Map(receivers.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]))
  const live = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) {
    const row = live.get(id)
    if (!row) {
      await unindexExpense(tx, id)
      continue
    }
    const { description, location, origin, destination, receiver_id, amount_minor, currency } = row
    const amount = (amount_minor / 10 ** exponentOf(currency)).toFixed(exponentOf(currency))
    const name = names.get(receiver_id) ?? null
    await indexExpense(tx, id, [description, location, origin, destination, name, amount, ...(tags.get(id) ?? [])])
  }
}
