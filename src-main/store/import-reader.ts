import { statement } from './statement'
import type { Reader } from './store'

/** How an importer knows a row: its own identity, or ours in a file that was exported. */
interface RowIdentity {
  readonly payer_id: number
  readonly external_id: string
}

const findByExternalId = statement<RowIdentity, { id: number }>((db, p) =>
  db.selectFrom('expenses').select('id').where('payer_id', '=', p('payer_id')).where('external_id', '=', p('external_id')),
)
const findByUid = statement<RowIdentity, { id: number }>((db, p) =>
  db.selectFrom('expenses').select('id').where('uid', '=', p('external_id')).where('payer_id', '=', p('payer_id')),
)

/** Whether an organization has, or had and deleted, the expense of an imported row. */
export async function isImported(reader: Reader, identity: RowIdentity): Promise<boolean> {
  return ((await reader.first(findByExternalId, identity)) ?? (await reader.first(findByUid, identity))) !== undefined
}
