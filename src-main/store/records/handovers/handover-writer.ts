import type { NewRow } from '#db/schema'
import type { Tx } from '../../core/store'

const insert = `INSERT INTO handovers
  (uid, created_at, organization_id, user_id, corrects_id, format, title, asked, file_name, sha256, bytes, row_count)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`
const insertRows = `INSERT INTO handover_rows (handover_id, expense_id, version, fingerprint)
  SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`

/** Stores a handover. `rows`: JSON arrays of `[expense_id, version, fingerprint]`, some at a time. */
export async function insertHandover(
  tx: Tx,
  handover: Omit<NewRow<'handovers'>, 'created_at'>,
  rows: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const { uid, organization_id, user_id, corrects_id, format, title, asked, file_name, sha256, bytes, row_count } = handover
  const values = [uid, tx.now, organization_id, user_id, corrects_id, format, title, asked, file_name, sha256, bytes, row_count]
  const [inserted] = await tx.writeAll(insert, values)
  for await (const some of rows) await tx.write(insertRows, [inserted?.id, some])
  tx.signal({ topic: 'handovers', organization_id })
}
