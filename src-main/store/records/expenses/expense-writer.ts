import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { isUndecided } from '#shared/domain/expense-status'
import { type FlagColumns, judgeExpense, knownRepeats, listTagIdsOf } from './expense-flags'
import { findExpense } from './expense-reader'
import { assertOpenMonth, bookExpenseAgain, bookNewExpense, isInClosedMonth } from '../organizations/closed-months'
import { indexNewExpenses, isReworded, reindexExpense } from './expense-search'
import { isAddedOtherwise } from './policy-sums'
import { addSumRun } from '../../queues/sum-runs'
import { type Candidate, comparedColumns } from './compared-columns'
import { type AskedExpense, findRepeats, newest } from './repeat-reader'
import { type PolicySource, listPolicies, readPoliciesOnce } from '../organizations/policy-reader'
import { type Changes, type NewRecord, deleteRecord, insertRecords, touchRecord, updateRecord } from '../../core/record-writer'
import { rowsOfPlaces } from '../../core/queryable'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

const deleteTags = statement<{ expense_id: number }, unknown>((db, p) =>
  db.deleteFrom('expense_tags').where('expense_id', '=', p('expense_id')),
)
const countAttachments = statement<{ id: number }, unknown>((db, p) =>
  db
    .updateTable('expenses')
    .where('id', '=', p('id'))
    .set({ attachments_count: sql`(select count(*) from attachments where expense_id = ${p('id')} and deleted_at is null)` }),
)
const countComments = statement<{ id: number }, unknown>((db, p) =>
  db
    .updateTable('expenses')
    .where('id', '=', p('id'))
    .set({ comments_count: sql`(select count(*) from comments where expense_id = ${p('id')} and deleted_at is null)` }),
)
/** Rows of expense tags per statement. */
const mostLinks = 20

function scopeOf({ payer_id, receiver_id }: { payer_id: number; receiver_id: number }) {
  return { organization_id: payer_id, user_id: receiver_id }
}

type Tags = ReadonlyArray<Row<'tags'>>

/** A new expense with its tags. */
export interface NewExpense {
  readonly values: NewRecord<'expenses'>
  readonly tags: Tags
  /** The same transaction on behalf of the user who records the expense, if several users do so together. */
  readonly by?: Tx
}

/** Defaults for judging a new expense that lacks these values. */
const unwritten = {
  id: 0,
  status: 'awaiting_analysis',
  kind: 'monetary',
  approved_amount_currency: null,
  distance: null,
  distance_kind: null,
  description: null,
  supplier_name: null,
  supplier_tax_id: null,
  location: null,
  corporative_card_id: null,
  pre_expense_id: null,
  paid_on: null,
  justification: null,
  attachments_count: 0,
} as const

/** Stores a new expense with its tags. */
export async function insertExpense(tx: Tx, values: NewRecord<'expenses'>, tags: Tags): Promise<Row<'expenses'>> {
  const [row] = await insertExpenses(tx, [{ values, tags }])
  if (!row) throw new Error('A new expense is not there.')
  return row
}

/** Stores new expenses with their tags, all or none; returns them in order. */
export async function insertExpenses(tx: Tx, expenses: readonly NewExpense[]): Promise<Row<'expenses'>[]> {
  const policiesOf = readPoliciesOnce(tx)
  const insertions = []
  const candidates = expenses.map(({ values }, index) => ({
    ...unwritten,
    ...values,
    created_at: tx.now,
    id: newest - expenses.length + index,
  }))
  // Together, for a database behind a network. Expenses that are stored together have not been compared with each other yet.
  const repeated = await Promise.all(
    candidates.map((one, index) => countEarlier(tx, { ...one, id: undefined, also: candidates.slice(0, index).filter(isOf(one)) })),
  )
  for (const [index, { values, tags, by }] of expenses.entries()) {
    const judged = { ...unwritten, ...values, created_at: tx.now }
    const repeats = repeated[index] ?? 0
    const flags = await judgeExpense(tx, judged, { tag_ids: () => tags.map(({ id }) => id), repeats, policiesOf })
    insertions.push({ values: { ...values, ...flags, ...(await bookNewExpense(tx, values)) }, scope: scopeOf(values), by })
  }
  const rows = await insertRecords(tx, 'expenses', insertions)
  writeTags(
    tx,
    rows.map(({ id }, index) => ({ id, tags: expenses[index]?.tags ?? [] })),
  )
  await indexNewExpenses(
    tx,
    rows.map((row, index) => ({ row, tags: expenses[index]?.tags ?? [] })),
  )
  for (const [index, row] of rows.entries())
    await addSumRun(tx, await policiesOf(row.payer_id), { ...row, tag_ids: () => (expenses[index]?.tags ?? []).map(({ id }) => id) })
  return rows
}

const isOf =
  ({ payer_id }: Pick<Candidate, 'payer_id'>) =>
  (other: Candidate) =>
    other.payer_id === payer_id

/**
 * Changes an expense; `tags`, if given, replace its tags. Writes nothing if nothing differs. `judged`: its findings after the change, if known.
 * `settlement`: a dated payment or finished report that settles or unsettles it; its date decides whether that is allowed. Throws {@link DomainError}
 * in closed months.
 */
export async function updateExpense(
  tx: Tx,
  row: Row<'expenses'>,
  {
    changes: given,
    tags,
    judged,
    settlement = false,
  }: { changes: Changes<'expenses'>; tags?: Tags; judged?: FlagColumns | undefined; settlement?: boolean },
): Promise<Row<'expenses'>> {
  const asked = changedRow(row, given)
  const isChanged = tags !== undefined || Object.entries(asked).some(([column, value]) => row[column as keyof typeof row] !== value)
  // New findings would change it, too.
  if (!isChanged && (await isInClosedMonth(tx, row))) return row
  if (!settlement) await assertOpenMonth(tx, row)
  const changes = { ...given, ...(await bookExpenseAgain(tx, row, asked)) }
  const next = changedRow(row, changes)
  const policiesOf = readPoliciesOnce(tx)
  const isCompared = isComparedAgain(row, next)
  const before = isCompared ? await listRepeatsOf(tx, row) : []
  const flags =
    judged ??
    (await judgeExpense(tx, next, {
      was: row.status,
      tag_ids: () => tags?.map(({ id }) => id) ?? listTagIdsOf(tx, row.id),
      repeats: isCompared ? await countEarlier(tx, next) : knownRepeats(row),
      policiesOf,
    }))
  const isAdded = tags !== undefined || isAddedOtherwise(row, next)
  if (isAdded) await addSumRun(tx, await policiesOf(row.payer_id), withTags(tx, row))
  let stored = await updateRecord(tx, 'expenses', { row, changes: { ...changes, ...flags }, scope: scopeOf(row) })
  if (tags) {
    await tx.run(deleteTags, { expense_id: row.id })
    writeTags(tx, [{ id: row.id, tags }])
    if (stored.version === row.version) stored = await touchRecord(tx, 'expenses', { row, scope: scopeOf(row) })
  }
  if (tags || isReworded(row, stored)) reindexExpense(tx, row.id)
  if (isAdded) await addSumRun(tx, await policiesOf(stored.payer_id), withTags(tx, stored))
  await judgeRepeats(tx, isCompared ? [...before, ...(await listRepeatsOf(tx, next))] : [])
  return stored
}

const withTags = (tx: Tx, row: Row<'expenses'>) => ({ ...row, tag_ids: () => listTagIdsOf(tx, row.id) })

/** Whether a change may add or remove a repeat. */
function isComparedAgain(row: Row<'expenses'>, next: Row<'expenses'>): boolean {
  const isReopened = !isUndecided(row.status) && isUndecided(next.status)
  const isRejection = (row.status === 'rejected') !== (next.status === 'rejected')
  return isReopened || isRejection || comparedColumns.some((column) => row[column] !== next[column])
}

function changedRow(row: Row<'expenses'>, changes: Changes<'expenses'>): Row<'expenses'> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...row, ...Object.fromEntries(given) }
}

/** Later expenses that may repeat this one. */
export async function listRepeatsOf(tx: Tx, row: Row<'expenses'>): Promise<readonly number[]> {
  return (await findRepeats(tx, row, 'later')).map(({ id }) => id)
}

const countEarlier = async (tx: Tx, asked: AskedExpense) => (await findRepeats(tx, asked, 'earlier')).length

/** Judges expenses again that may repeat a changed one, or no longer do. Decided expenses keep their findings. */
export async function judgeRepeats(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const id of new Set(ids)) {
    const row = await findExpense(tx, id)
    if (row?.deleted_at === null) await judgeAgain(tx, row)
  }
}

/** Raises the version of an expense whose receipts or comments changed, and updates their counts. */
export async function touchExpense(tx: Tx, row: Row<'expenses'>, part: 'receipts' | 'comments'): Promise<Row<'expenses'>> {
  if (part === 'receipts') await assertOpenMonth(tx, row)
  await tx.run(part === 'comments' ? countComments : countAttachments, { id: row.id })
  const touched = await touchRecord(tx, 'expenses', { row, scope: scopeOf(row), part })
  return part === 'receipts' ? judgeAgain(tx, touched, { isWithRepeats: true }) : touched
}

/**
 * Judges an expense again after a change outside its own columns: by policies, and for repeats. `isWithRepeats`: also those that may repeat it.
 * `policiesOf`: reads policies, if the caller has read them already.
 */
export async function judgeAgain(
  tx: Tx,
  row: Row<'expenses'>,
  { isWithRepeats = false, policiesOf }: { isWithRepeats?: boolean; policiesOf?: PolicySource } = {},
): Promise<Row<'expenses'>> {
  if ((!isUndecided(row.status) && !isWithRepeats) || (await isInClosedMonth(tx, row))) return row
  const flags = await judgeExpense(tx, row, {
    tag_ids: () => listTagIdsOf(tx, row.id),
    repeats: await countEarlier(tx, row),
    ...(policiesOf && { policiesOf }),
  })
  const judged = flags ? await updateRecord(tx, 'expenses', { row, changes: flags, scope: scopeOf(row) }) : row
  if (isWithRepeats) await judgeRepeats(tx, await listRepeatsOf(tx, row))
  return judged
}

/** Deletes an expense: gone for callers, kept internally. */
export async function deleteExpense(tx: Tx, row: Row<'expenses'>): Promise<void> {
  await assertOpenMonth(tx, row)
  const repeats = await listRepeatsOf(tx, row)
  await addSumRun(tx, await listPolicies(tx, row.payer_id), withTags(tx, row))
  await deleteRecord(tx, 'expenses', { row, scope: scopeOf(row) })
  reindexExpense(tx, row.id)
  await judgeRepeats(tx, repeats)
}

function writeTags(tx: Tx, expenses: ReadonlyArray<{ readonly id: number; readonly tags: Tags }>): void {
  const links = expenses.flatMap(({ id, tags }) => tags.map((tag, position) => [id, tag.id, position]))
  for (let start = 0; start < links.length; start += mostLinks) {
    const part = links.slice(start, start + mostLinks)
    tx.post(`INSERT INTO expense_tags (expense_id, tag_id, position) VALUES ${rowsOfPlaces(3, part.length)}`, part.flat())
  }
}
