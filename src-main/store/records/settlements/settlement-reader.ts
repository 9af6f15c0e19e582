import { sql } from 'kysely'
import { type ListQuery, type Page, readPage, toTagExpressions } from '../../core/list-query'
import { type Settlement, type SettlementKind, perSettlement, settlementTables } from './settlement-tables'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { visibleTo } from '../visible-records'

const findRow = perSettlement((kind) =>
  statement<{ id: number }, Settlement>((db, p) => db.selectFrom(settlementTables[kind]).selectAll().where('id', '=', p('id'))),
)
const listTagsOf = perSettlement((kind) => {
  const links = `${kind}_tags` as const
  const owner = sql.ref<number>(`${links}.${kind}_id`)
  return listStatement<number, { owner_id: number; name: string }>(
    (db, ids) =>
      db
        .selectFrom(links)
        .innerJoin('tags', 'tags.id', `${links}.tag_id`)
        .select(['tags.name', owner.as('owner_id')])
        .where(owner, 'in', ids)
        .where('tags.deleted_at', 'is', null)
        .orderBy(owner)
        .orderBy(`${links}.position`),
    { keptBy: 'owner_id' },
  )
})

/** A reimbursement or an advancement by id, including a deleted one (see `deleted_at`). */
export function findSettlement(reader: Reader, kind: SettlementKind, id: number): Promise<Settlement | undefined> {
  return reader.first(findRow[kind], { id })
}

/** Tag names by settlement id, in the order in which they were added. */
export async function listSettlementTagNames(
  reader: Reader,
  kind: SettlementKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const rows = Map.groupBy(await reader.allOf(listTagsOf[kind], ids), ({ owner_id }) => owner_id)
  return new Map([...rows].map(([id, tags]) => [id, tags.map(({ name }) => name)]))
}

/** A page of the reimbursements or advancements that a user may see. */
export function listSettlements(
  reader: Reader,
  kind: SettlementKind,
  { user_id, ...query }: ListQuery & { user_id: number },
): Promise<Page<Settlement>> {
  const table = settlementTables[kind]
  const { filter } = query
  const where = async () => [
    ...(await toTagExpressions(reader, { resource: kind, user_id, filter })),
    ...(await visibleTo(reader, { table, followed: kind }, { user_id, filter })),
  ]
  return readPage<'reimbursements' | 'advancements'>(reader, table, { user_id, query, where })
}
