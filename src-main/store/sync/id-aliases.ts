import type { Row } from '#db/schema'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

const findRow = statement<{ table_name: string; provisional_id: number }, { record_id: number }>((db, p) =>
  db
    .selectFrom('id_aliases')
    .select('record_id')
    .where('table_name', '=', p('table_name'))
    .where('provisional_id', '=', p('provisional_id')),
)
const insertRow = statement<Row<'id_aliases'>, unknown>((db, p) =>
  db
    .insertInto('id_aliases')
    .values({ table_name: p('table_name'), provisional_id: p('provisional_id'), record_id: p('record_id'), created_at: p('created_at') })
    .onConflict((conflict) =>
      conflict.columns(['table_name', 'provisional_id']).doUpdateSet((eb) => ({ record_id: eb.ref('excluded.record_id') })),
    ),
)

/** The final id of a record that had a provisional one. */
export async function findAlias(reader: Reader, table_name: string, provisional_id: number): Promise<number | undefined> {
  return (await reader.first(findRow, { table_name, provisional_id }))?.record_id
}

/** Stores a record's earlier id, so that it can still be found by it. */
export async function keepAlias(tx: Tx, alias: { table_name: string; provisional_id: number; record_id: number }): Promise<void> {
  await tx.run(insertRow, { ...alias, created_at: tx.now })
}
