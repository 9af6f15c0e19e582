import type { Row } from '#db/schema'
import { type NewRecord, insertRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'
import { assertOpenForDate } from '../organizations/closed-months'

/** Stores a devolution. */
export async function insertDevolution(tx: Tx, values: NewRecord<'advancement_devolutions'>): Promise<Row<'advancement_devolutions'>> {
  await assertOpenForDate(tx, values)
  const scope = { organization_id: values.payer_id, user_id: values.receiver_id }
  return insertRecord(tx, 'advancement_devolutions', { values, scope })
}
