import { z } from 'zod'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

const findRow = statement<{ key: string }, { value: string }>((db, p) =>
  db.selectFrom('instance_settings').select('value').where('key', '=', p('key')),
)
const writeRow = statement<{ key: string; value: string; updated_at: string }, unknown>((db, p) =>
  db
    .insertInto('instance_settings')
    .values({ key: p('key'), value: p('value'), updated_at: p('updated_at') })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), updated_at: eb.ref('excluded.updated_at') })),
    ),
)

const shape = z.object({ seal_id: z.int(), at: z.string() })

/** The last seal whose head a witness has, and since when; undefined if it has none. */
export async function findWitnessed(reader: Reader, key: string): Promise<z.infer<typeof shape> | undefined> {
  const row = await reader.first(findRow, { key })
  return row && shape.parse(JSON.parse(row.value))
}

/** Stores that a witness has the heads up to a seal. */
export async function noteWitnessed(tx: Tx, key: string, seal_id: number): Promise<void> {
  await tx.run(writeRow, { key, value: JSON.stringify({ seal_id, at: tx.now }), updated_at: tx.now })
}
