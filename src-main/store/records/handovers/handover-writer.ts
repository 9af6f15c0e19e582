import { sql } from 'kysely'
import type { NewRow } from '#db/schema'
import { perDialect } from '../../core/dialect'
import type { Tx } from '../../core/store'

const insert = `INSERT INTO handovers
  (uid, created_at, organization_id, user_id, corrects_id, format, title, asked, file_name, sha256, bytes, row_count, trail_end, left_out)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`
const rowsOf = (handover_id: number, rows: string) =>
  perDialect({
    sqlite: sql`select ${handover_id}, value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${rows})`,
    postgres: sql`select ${handover_id}::bigint, (value ->> 0)::bigint, (value ->> 1)::bigint, value ->> 2, value ->> 3
      from json_array_elements(${rows}::json)`,
  })

/** Stores a handover. `rows`: JSON arrays of `[expense_id, version, fingerprint, booking]`, some at a time. */
export async function insertHandover(
  tx: Tx,
  handover: Omit<NewRow<'handovers'>, 'created_at'>,
  rows: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const {
    uid,
    organization_id,
    user_id,
    corrects_id,
    format,
    title,
    asked,
    file_name,
    sha256,
    bytes,
    row_count,
    trail_end,
    left_out,
  } = handover
  const values = [
    uid,
    tx.now,
    organization_id,
    user_id,
    corrects_id,
    format,
    title,
    asked,
    file_name,
    sha256,
    bytes,
    row_count,
    trail_end,
    left_out,
  ]
  const [inserted] = await tx.writeAll(insert, values)
  for await (const some of rows) {
    const found = rowsOf(Number(inserted?.id), some)
    await sql`insert into handover_rows (handover_id, expense_id, version, fingerprint, booking) ${found}`.execute(tx.db)
  }
  tx.signal({ topic: 'handovers', organization_id })
}
