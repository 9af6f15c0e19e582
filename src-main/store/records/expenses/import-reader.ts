import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** How an importer identifies a row: by its external identity, or by ours in an exported file. */
interface RowIdentity {
  readonly payer_id: number
  readonly external_id: string
}

const findByExternalId = statement<RowIdentity, Row<'expenses'>>((db, p) =>
  db.selectFrom('expenses').selectAll().where('payer_id', '=', p('payer_id')).where('external_id', '=', p('external_id')),
)
const findByUid = statement<RowIdentity, Row<'expenses'>>((db, p) =>
  db.selectFrom('expenses').selectAll().where('uid', '=', p('external_id')).where('payer_id', '=', p('payer_id')),
)

/** The expense of an imported row; it may be deleted. */
export async function findImported(reader: Reader, identity: RowIdentity): Promise<Row<'expenses'> | undefined> {
  return (await reader.first(findByExternalId, identity)) ?? reader.first(findByUid, identity)
}
