import { sql } from 'kysely'
import type { NewRow } from '#db/schema'
import { perDialect } from '../../core/dialect'
import type { Tx } from '../../core/store'

const rowsOf = (handover_id: number, rows: string) =>
  perDialect({
    sqlite: sql`select ${handover_id}, value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${rows})`,
    postgres: sql`select ${handover_id}::bigint, (value ->> 0)::bigint, (value ->> 1)::bigint, value ->> 2, value ->> 3
      from json_array_elements(${rows}::json)`,
  })

/** Stores a handover. `rows`: JSON arrays of `[expense_id, version, fingerprint, booking]`, in batches. */
export async function insertHandover(
  tx: Tx,
  handover: Omit<NewRow<'handovers'>, 'created_at'>,
  rows: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const inserted = await tx.db
    .insertInto('handovers')
    .values({ ...handover, created_at: tx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  for await (const some of rows) {
    const found = rowsOf(inserted.id, some)
    await sql`insert into handover_rows (handover_id, expense_id, version, fingerprint, booking) ${found}`.execute(tx.db)
  }
  tx.signal({ topic: 'handovers', organization_id: handover.organization_id })
}
