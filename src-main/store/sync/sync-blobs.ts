import type { Row } from '#db/schema'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

type Transfer = Row<'sync_blobs'>
type Key = Pick<Transfer, 'sha256' | 'direction'>

const insertRow = statement<Pick<Transfer, 'sha256' | 'direction' | 'bytes' | 'created_at'>, unknown>((db, p) =>
  db
    .insertInto('sync_blobs')
    .values({ sha256: p('sha256'), direction: p('direction'), bytes: p('bytes'), created_at: p('created_at') })
    .onConflict((conflict) => conflict.doNothing()),
)
const deleteRow = statement<Key, unknown>((db, p) =>
  db.deleteFrom('sync_blobs').where('sha256', '=', p('sha256')).where('direction', '=', p('direction')),
)
const listRows = statement<{ direction: Transfer['direction'] }, Transfer>((db, p) =>
  db.selectFrom('sync_blobs').selectAll().where('direction', '=', p('direction')).orderBy('created_at').orderBy('sha256'),
)
const failRow = statement<Key & { last_error: string }, unknown>((db, p) =>
  db
    .updateTable('sync_blobs')
    .where('sha256', '=', p('sha256'))
    .where('direction', '=', p('direction'))
    .set((eb) => ({ attempts: eb('attempts', '+', 1), last_error: p('last_error') })),
)

/** Stores that a file must be sent or fetched. */
export async function noteBlobTransfer(tx: Tx, transfer: Pick<Transfer, 'sha256' | 'direction' | 'bytes'>): Promise<void> {
  await tx.run(insertRow, { ...transfer, created_at: tx.now })
}

/** Removes a transfer: the file was sent or fetched, or is no longer needed. */
export async function endBlobTransfer(tx: Tx, key: Key): Promise<void> {
  await tx.run(deleteRow, key)
}

/** Stores that sending or fetching a file failed this time. */
export async function failBlobTransfer(tx: Tx, failure: Key & { last_error: string }): Promise<void> {
  await tx.run(failRow, failure)
}

/** Files to send or fetch, oldest first. */
export function listBlobTransfers(reader: Reader, direction: Transfer['direction']): Promise<Transfer[]> {
  return reader.all(listRows, { direction })
}
