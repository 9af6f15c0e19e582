import type { Row } from '#db/schema'
import { type Changes, type NewRecord, deleteRecord, insertRecord, touchRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

type Accountability = Row<'accountabilities'>

const insertLink = statement<Row<'accountability_expenses'>, unknown>((db, p) =>
  db
    .insertInto('accountability_expenses')
    .values({ accountability_id: p('accountability_id'), expense_id: p('expense_id') })
    .onConflict((conflict) => conflict.doNothing()),
)
const deleteLinks = statement<{ accountability_id: number }, unknown>((db, p) =>
  db.deleteFrom('accountability_expenses').where('accountability_id', '=', p('accountability_id')),
)

function scopeOf({ payer_id, receiver_id }: { payer_id: number; receiver_id: number }) {
  return { organization_id: payer_id, user_id: receiver_id }
}

async function writeLinks(tx: Tx, accountability_id: number, expense_ids: readonly number[]): Promise<void> {
  for (const expense_id of expense_ids) await tx.run(insertLink, { accountability_id, expense_id })
}

/** Stores a new accountability with its expenses. */
export async function insertAccountability(
  tx: Tx,
  values: NewRecord<'accountabilities'>,
  expense_ids: readonly number[],
): Promise<Accountability> {
  const row = await insertRecord(tx, 'accountabilities', { values, scope: scopeOf(values) })
  await writeLinks(tx, row.id, expense_ids)
  return row
}

/** Changes an accountability; `expense_ids`, if given, replace its expenses. Writes nothing if nothing differs. */
export async function updateAccountability(
  tx: Tx,
  row: Accountability,
  { changes, expense_ids }: { changes: Changes<'accountabilities'>; expense_ids?: readonly number[] },
): Promise<Accountability> {
  const stored = await updateRecord(tx, 'accountabilities', { row, changes, scope: scopeOf(row) })
  if (!expense_ids) return stored
  await tx.run(deleteLinks, { accountability_id: row.id })
  await writeLinks(tx, row.id, expense_ids)
  return stored.version === row.version ? touchRecord(tx, 'accountabilities', { row, scope: scopeOf(row) }) : stored
}

/** Deletes an accountability: gone for callers, kept internally. Its expenses can join another one. */
export async function deleteAccountability(tx: Tx, row: Accountability): Promise<void> {
  await deleteRecord(tx, 'accountabilities', { row, scope: scopeOf(row) })
}
