import type { Row } from '#db/schema'
import type { Reader } from '../../core/store'

/**
 * The expenses of imported rows by the rows' external ids; they may be deleted. A row names an expense by its external identity, or by ours in an
 * exported file.
 */
export async function listImported(
  { db }: Reader,
  { payer_id, external_ids }: { payer_id: number; external_ids: readonly string[] },
): Promise<Map<string, Row<'expenses'>>> {
  const listBy = async (column: 'external_id' | 'uid', ids: readonly string[]) =>
    ids.length === 0 ? [] : db.selectFrom('expenses').selectAll().where(column, 'in', ids).where('payer_id', '=', payer_id).execute()
  const found = new Map<string, Row<'expenses'>>()
  for (const row of await listBy('external_id', external_ids)) if (row.external_id !== null) found.set(row.external_id, row)
  const others = external_ids.filter((id) => !found.has(id))
  for (const row of await listBy('uid', others)) found.set(row.uid, row)
  return found
}
