import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { exponentOf } from '#shared/domain/currencies'
import { indexExpense, unindexExpense } from './expense-search'
import { type Changes, type NewRecord, deleteRecord, insertRecord, touchRecord, updateRecord } from './record-writer'
import { listTagNamesOf } from './expense-reader'
import { listStatement, statement } from './statement'
import type { Tx } from './store'
import { findUser } from './user-reader'

/** How many expenses are found anew between two turns of others. */
const taggedPage = 200

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
const listTagged = statement<{ tag_id: number; last: number }, Row<'expenses'>>((db, p) =>
  db
    .selectFrom('expense_tags')
    .innerJoin('expenses', 'expenses.id', 'expense_tags.expense_id')
    .selectAll('expenses')
    .where('expense_tags.tag_id', '=', p('tag_id'))
    .where('expense_tags.expense_id', '>', p('last'))
    .where('expenses.deleted_at', 'is', null)
    .orderBy('expense_tags.expense_id')
    .limit(taggedPage),
)
const listLive = statement<{ last: number }, Row<'expenses'>>((db, p) =>
  db
    .selectFrom('expenses')
    .selectAll()
    .where('id', '>', p('last'))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(taggedPage),
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
  await makeFindable(
    tx,
    row,
    tags.map(({ name }) => name),
  )
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
  if (tags || isReworded || stored.receiver_id !== row.receiver_id)
    await makeFindable(tx, stored, tags ? tags.map(({ name }) => name) : ((await listTagNamesOf(tx, [row.id])).get(row.id) ?? []))
  return stored
}

/** Raises the version of an expense whose receipts or comments have changed, and counts them anew. */
export async function touchExpense(tx: Tx, row: Row<'expenses'>): Promise<Row<'expenses'>> {
  await tx.run(countAttachments, { id: row.id })
  await tx.run(countComments, { id: row.id })
  return touchRecord(tx, 'expenses', { row, scope: scopeOf(row) })
}

/** Deletes an expense: final outside, kept inside. */
export async function deleteExpense(tx: Tx, row: Row<'expenses'>): Promise<void> {
  deleteRecord(tx, 'expenses', { row, scope: scopeOf(row) })
  await unindexExpense(tx, row.id)
}

async function writeTags(tx: Tx, expense_id: number, tags: ReadonlyArray<Row<'tags'>>): Promise<void> {
  for (const [position, { id: tag_id }] of tags.entries()) await tx.run(insertTag, { expense_id, tag_id, position })
}

/** Search finds an expense by its texts, its tags, its receiver and its amount as people write it. */
async function makeFindable(tx: Tx, row: Row<'expenses'>, tagNames: readonly string[]): Promise<void> {
  const receiver = await findUser(tx, row.receiver_id)
  const amount = (row.amount_minor / 10 ** exponentOf(row.currency)).toFixed(exponentOf(row.currency))
  const name = receiver ? `${receiver.first_name} ${receiver.last_name}` : null
  await indexExpense(tx, row.id, [row.description, row.location, row.origin, row.destination, name, amount, ...tagNames])
}

/**
 * Finds anew the expenses that carry a tag whose name has changed or gone; their versions stay. A tag may stand on most of an
 * organization's expenses: between pages of them, reads get their turn, while other writes wait for the transaction to end.
 */
export async function makeTaggedFindable(tx: Tx, tag_id: number): Promise<void> {
  for (let last = Number.MIN_SAFE_INTEGER, more = true; more;) {
    const rows = await tx.all(listTagged, { tag_id, last })
    const names = await listTagNamesOf(
      tx,
      rows.map(({ id }) => id),
    )
    for (const row of rows) await makeFindable(tx, row, names.get(row.id) ?? [])
    last = rows.at(-1)?.id ?? last
    more = rows.length === taggedPage
    if (more) await nextTurn()
  }
}

/** Finds these expenses anew; their versions stay. */
export async function reindexExpensesOf(tx: Tx, ids: readonly number[]): Promise<void> {
  const rows = new Map((await tx.allOf(listByIds, ids)).map((row) => [row.id, row]))
  const names = await listTagNamesOf(tx, ids)
  for (const id of ids) {
    const row = rows.get(id)
    if (row && row.deleted_at === null) await makeFindable(tx, row, names.get(id) ?? [])
    else await unindexExpense(tx, id)
  }
}

/** Finds every expense anew; their versions stay. For mending a search index that does not fit. */
export async function reindexExpenses(tx: Tx): Promise<void> {
  for (let last = 0, more = true; more;) {
    const rows = await tx.all(listLive, { last })
    const names = await listTagNamesOf(
      tx,
      rows.map(({ id }) => id),
    )
    for (const row of rows) await makeFindable(tx, row, names.get(row.id) ?? [])
    last = rows.at(-1)?.id ?? last
    more = rows.length === taggedPage
  }
}
