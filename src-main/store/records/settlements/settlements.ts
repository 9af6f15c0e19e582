import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { advancement } from '#shared/records/advancement'
import { reimbursement } from '#shared/records/reimbursement'
import { type ListQuery, type Page, readPage, toTagExpressions } from '../../core/list-query'
import { type Changes, type NewRecord, deleteRecord, insertRecord, touchRecord, updateRecord } from '../../core/record-writer'
import { listStatement, statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { assertOpenDate, assertOpenForDate } from '../organizations/closed-months'
import { visibleTo } from '../visible-records'

/** The two kinds of money that an organization pays to a user. Both have the same columns and tags. */
export type SettlementKind = 'reimbursement' | 'advancement'

/** A reimbursement or an advancement. */
export type Settlement = Row<'reimbursements' | 'advancements'>

/** The definitions of settlements of each kind. */
export const settlementRecords = { reimbursement, advancement } as const
/** The table of each kind of settlement. */
const settlementTables = { reimbursement: 'reimbursements', advancement: 'advancements' } as const

/** Makes something for each kind of settlement. */
function perSettlement<T>(make: (kind: SettlementKind) => T): Readonly<Record<SettlementKind, T>> {
  return { reimbursement: make('reimbursement'), advancement: make('advancement') }
}

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

type Table = 'reimbursements' | 'advancements'

const countComments = perSettlement((kind) =>
  statement<{ id: number }, unknown>((db, p) =>
    db
      .updateTable(settlementTables[kind])
      .where('id', '=', p('id'))
      .set({ comments_count: sql`(select count(*) from comments where ${sql.ref(`${kind}_id`)} = ${p('id')} and deleted_at is null)` }),
  ),
)
type TagLink = { id: number; tag_id: number; position: number }
const insertTag = {
  reimbursement: statement<TagLink, unknown>((db, p) =>
    db.insertInto('reimbursement_tags').values({ reimbursement_id: p('id'), tag_id: p('tag_id'), position: p('position') }),
  ),
  advancement: statement<TagLink, unknown>((db, p) =>
    db.insertInto('advancement_tags').values({ advancement_id: p('id'), tag_id: p('tag_id'), position: p('position') }),
  ),
}
const deleteTags = {
  reimbursement: statement<{ id: number }, unknown>((db, p) => db.deleteFrom('reimbursement_tags').where('reimbursement_id', '=', p('id'))),
  advancement: statement<{ id: number }, unknown>((db, p) => db.deleteFrom('advancement_tags').where('advancement_id', '=', p('id'))),
}

function scopeOf({ payer_id, receiver_id }: { payer_id: number; receiver_id: number }) {
  return { organization_id: payer_id, user_id: receiver_id }
}

/** Stores a new reimbursement or advancement with its tags. */
export async function insertSettlement(
  tx: Tx,
  kind: SettlementKind,
  { values, tags }: { values: NewRecord<Table>; tags: ReadonlyArray<Row<'tags'>> },
): Promise<Settlement> {
  await assertOpenForDate(tx, values)
  const row = await insertRecord<Table>(tx, settlementTables[kind], { values, scope: scopeOf(values) })
  await writeTags(tx, kind, { id: row.id, tags })
  return row
}

/** Changes a settlement; `tags`, if given, replace its tags. Writes nothing if nothing differs. */
export async function updateSettlement(
  tx: Tx,
  kind: SettlementKind,
  { row, changes, tags }: { row: Settlement; changes: Changes<Table>; tags?: ReadonlyArray<Row<'tags'>> },
): Promise<Settlement> {
  const stored = await updateRecord<Table>(tx, settlementTables[kind], { row, changes, scope: scopeOf(row) })
  if (tags || stored.version !== row.version) await assertOpenDate(tx, row)
  if (stored.date !== row.date || stored.payer_id !== row.payer_id) await assertOpenForDate(tx, stored)
  if (!tags) return stored
  await tx.run(deleteTags[kind], { id: row.id })
  await writeTags(tx, kind, { id: row.id, tags })
  return stored.version === row.version ? raiseVersion(tx, kind, row) : stored
}

/** Raises the version of a settlement whose expenses have changed. */
export async function raiseVersion(tx: Tx, kind: SettlementKind, row: Settlement): Promise<Settlement> {
  await assertOpenDate(tx, row)
  return touchRecord<Table>(tx, settlementTables[kind], { row, scope: scopeOf(row) })
}

/** Raises the version of a settlement whose comments changed, and updates their count. */
export async function touchSettlement(tx: Tx, kind: SettlementKind, row: Settlement): Promise<Settlement> {
  await tx.run(countComments[kind], { id: row.id })
  return touchRecord<Table>(tx, settlementTables[kind], { row, scope: scopeOf(row), part: 'comments' })
}

/** Deletes a settlement: gone for callers, kept internally. */
export async function deleteSettlement(tx: Tx, kind: SettlementKind, row: Settlement): Promise<void> {
  await assertOpenDate(tx, row)
  await deleteRecord<Table>(tx, settlementTables[kind], { row, scope: scopeOf(row) })
}

async function writeTags(tx: Tx, kind: SettlementKind, { id, tags }: { id: number; tags: ReadonlyArray<Row<'tags'>> }): Promise<void> {
  for (const [position, { id: tag_id }] of tags.entries()) await tx.run(insertTag[kind], { id, tag_id, position })
}
