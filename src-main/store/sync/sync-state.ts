import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

const findRow = statement<{ key: string }, { value: string }>(
  (db, p) => db.selectFrom('sync_state').select('value').where('key', '=', p('key')),
  { isKept: true },
)
const writeRow = statement<{ key: string; value: string; updated_at: string }, unknown>((db, p) =>
  db
    .insertInto('sync_state')
    .values({ key: p('key'), value: p('value'), updated_at: p('updated_at') })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), updated_at: eb.ref('excluded.updated_at') })),
    ),
)
const deleteRow = statement<{ key: string }, unknown>((db, p) => db.deleteFrom('sync_state').where('key', '=', p('key')))

/** A value of an instance's sync state, as text. */
export async function findSyncState(reader: Reader, key: string): Promise<string | undefined> {
  return (await reader.first(findRow, { key }))?.value
}

/** Stores a value of the sync state. */
export async function writeSyncState(tx: Tx, key: string, value: string): Promise<void> {
  await tx.run(writeRow, { key, value, updated_at: tx.now })
}

/** Deletes a value of the sync state. */
export async function deleteSyncState(tx: Tx, key: string): Promise<void> {
  await tx.run(deleteRow, { key })
}
