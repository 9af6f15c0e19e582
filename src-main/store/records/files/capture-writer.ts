import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

type Capture = Row<'captures'>
type NewCapture = Omit<Capture, 'id'>
type Changes = Partial<Omit<Capture, 'id' | 'uid' | 'user_id' | 'created_at'>>

const insertRow = statement<NewCapture, { id: number }>((db, p) =>
  db
    .insertInto('captures')
    .values({
      uid: p('uid'),
      user_id: p('user_id'),
      sha256: p('sha256'),
      original_sha256: p('original_sha256'),
      file_name: p('file_name'),
      content_type: p('content_type'),
      bytes: p('bytes'),
      source: p('source'),
      state: p('state'),
      problem: p('problem'),
      keeps_location: p('keeps_location'),
      captured_at: p('captured_at'),
      group_uid: p('group_uid'),
      note: p('note'),
      expense_id: p('expense_id'),
      created_at: p('created_at'),
      deleted_at: p('deleted_at'),
    })
    .returning('id'),
)
const moveRows = statement<{ user_id: number }, unknown>((db, p) =>
  db
    .updateTable('captures')
    .set({ user_id: p('user_id') })
    .where('expense_id', 'is', null),
)
const deleteRows = statement<Record<string, never>, unknown>((db) => db.deleteFrom('captures'))
const deleteUsed = statement<Record<string, never>, unknown>((db) => db.deleteFrom('captures').where('expense_id', 'is not', null))

/** Stores a new capture of the acting user for processing; returns its id. Its file must already be durable and have a row. */
export async function insertCapture(
  tx: Tx,
  values: Pick<
    Capture,
    'sha256' | 'file_name' | 'content_type' | 'bytes' | 'source' | 'keeps_location' | 'captured_at' | 'group_uid' | 'note'
  >,
): Promise<number> {
  const inserted = await tx.first(insertRow, {
    ...values,
    uid: tx.clock.uid(),
    user_id: tx.actor.user_id,
    original_sha256: values.sha256,
    state: 'processing',
    problem: null,
    expense_id: null,
    created_at: tx.now,
    deleted_at: null,
  })
  if (!inserted) throw new Error('A capture was stored without an id.')
  signalCaptures(tx)
  return inserted.id
}

/** Only the owner acts on captures. */
function signalCaptures(tx: Tx): void {
  tx.signal({ topic: 'captures', user_id: tx.actor.user_id })
}

/** Changes a capture of the acting user. Captures belong to this instance and are in no change log. */
export async function updateCapture(tx: Tx, id: number, changes: Changes): Promise<void> {
  signalCaptures(tx)
  if (Object.keys(changes).length > 0) await tx.db.updateTable('captures').set(changes).where('id', '=', id).execute()
}

/** Gives all captures to one user, whose id on the replica differs. Captures on an expense already belong to the remote. */
export async function handOverCaptures(tx: Tx, user_id: number): Promise<void> {
  await tx.run(deleteUsed, {})
  await tx.run(moveRows, { user_id })
}

/** Deletes all captures: their users are about to be removed. */
export async function forgetCaptures(tx: Tx): Promise<void> {
  await tx.run(deleteRows, {})
}
