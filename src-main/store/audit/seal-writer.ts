import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { listed } from '../core/dialect'
import { rowsOfPlaces } from '../core/queryable'
import { statement } from '../core/statement'
import type { Tx } from '../core/store'

const insertRow = statement<Omit<Row<'audit_seals'>, 'id'>, unknown>((db, p) =>
  db
    .insertInto('audit_seals')
    .values({
      organization_id: p('organization_id'),
      number: p('number'),
      first_id: p('first_id'),
      last_id: p('last_id'),
      entries: p('entries'),
      total: p('total'),
      root: p('root'),
      previous: p('previous'),
      sealed_at: p('sealed_at'),
      public_key: p('public_key'),
      signature: p('signature'),
      head: p('head'),
    }),
)

/** Stores a seal and what it keeps about its entries. */
export async function insertSeal(tx: Tx, seal: Omit<Row<'audit_seals'>, 'id'>, parts: ReadonlyArray<Row<'audit_parts'>>): Promise<void> {
  await tx.run(insertRow, seal)
  tx.signal({ topic: 'audit', organization_id: seal.organization_id })
  if (parts.length === 0) return
  const cells = parts.flatMap(({ activity_id, sha256, salt, details_hash }) => [activity_id, sha256, salt, details_hash])
  await tx.write(`INSERT INTO audit_parts (activity_id, sha256, salt, details_hash) VALUES ${rowsOfPlaces(4, parts.length)}`, cells)
}

/** What remains of an erased entry: the hash that keeps its seal valid, or makes it valid. The salt is not stored anywhere. */
export interface ErasedEntry {
  readonly id: number
  readonly details_hash: string
}

/**
 * Erases the details of entries about a person. Seals stay valid; entries that are not sealed yet get a part that marks them as erased. Resolves to
 * the number of changed entries.
 */
export async function eraseDetails(tx: Tx, activity_ids: readonly number[], unsealed: readonly ErasedEntry[] = []): Promise<number> {
  const ids = listed(JSON.stringify([...activity_ids, ...unsealed.map(({ id }) => id)]))
  for (const { id, details_hash } of unsealed)
    await tx.write('INSERT INTO audit_parts (activity_id, details_hash) VALUES (?, ?)', [id, details_hash])
  await sql`update audit_parts set salt = null where details_hash is not null and activity_id in (${ids})`.execute(tx.db)
  const erased = sql`update activities set details = '[]' where details <> '[]' and id in (${ids})
    and id in (select activity_id from audit_parts where salt is null and details_hash is not null) returning id`
  return (await erased.execute(tx.db)).rows.length
}
