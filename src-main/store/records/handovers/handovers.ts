import { sql } from 'kysely'
import type { NewRow, Row } from '#db/schema'
import { perDialect } from '../../core/dialect'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

const findByUid = statement<{ organization_id: number; uid: string }, Row<'handovers'>>((db, p) =>
  db.selectFrom('handovers').selectAll().where('uid', '=', p('uid')).where('organization_id', '=', p('organization_id')),
)
const findById = statement<{ id: number }, Row<'handovers'>>((db, p) => db.selectFrom('handovers').selectAll().where('id', '=', p('id')))
const listRows = statement<{ organization_id: number; before: number; limit: number }, Row<'handovers'>>((db, p) =>
  db
    .selectFrom('handovers')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

/** A row of a handover whose expense has changed in any way, or whose booking was not stored; rows that were handed over again are excluded. */
export interface MovedRow {
  readonly expense_id: number
  readonly version: number
  readonly fingerprint: string
  readonly booking: string | null
  readonly current_version: number
  /** When it was handed over, and the last entry of the trail at that time, if known. */
  readonly handed_at: string
  readonly trail_end: number | null
}

const listMoved = statement<{ handover_id: number; after_id: number; limit: number }, MovedRow>((db, p) =>
  db
    .selectFrom('handover_rows as handed')
    .innerJoin('expenses', 'expenses.id', 'handed.expense_id')
    .innerJoin('handovers', 'handovers.id', 'handed.handover_id')
    .select(['handed.expense_id', 'handed.version', 'handed.fingerprint', 'handed.booking'])
    .select(['expenses.version as current_version', 'handovers.created_at as handed_at', 'handovers.trail_end'])
    .where('handed.handover_id', '=', p('handover_id'))
    .where('handed.expense_id', '>', p('after_id'))
    .where(sql<boolean>`(expenses.version <> handed.version or handed.booking is null)`)
    .where(
      sql<boolean>`not exists (select 1 from handover_rows as later
      where later.expense_id = handed.expense_id and later.handover_id > handed.handover_id)`,
    )
    .orderBy('handed.expense_id')
    .limit(p('limit')),
)

const listOfExpense = statement<{ expense_id: number }, Row<'handovers'> & { readonly expense_version: number }>((db, p) =>
  db
    .selectFrom('handover_rows')
    .innerJoin('handovers', 'handovers.id', 'handover_rows.handover_id')
    .selectAll('handovers')
    .select('handover_rows.version as expense_version')
    .where('handover_rows.expense_id', '=', p('expense_id'))
    .orderBy('handovers.id', 'desc'),
)

/** An organization's handover by its uid. */
export function findHandover(reader: Reader, key: { organization_id: number; uid: string }) {
  return reader.first(findByUid, key)
}

/** A handover by its id. */
export function findHandoverById(reader: Reader, id: number) {
  return reader.first(findById, { id })
}

/** The handovers of an organization, newest first, before an id. */
export function listHandovers(reader: Reader, asked: { organization_id: number; before?: number | undefined; limit: number }) {
  return reader.all(listRows, { ...asked, before: asked.before ?? Number.MAX_SAFE_INTEGER })
}

/** The handovers of an expense, newest first. */
export function listHandoversOf(reader: Reader, expense_id: number) {
  return reader.all(listOfExpense, { expense_id })
}

/** Rows of a handover whose expenses may have changed and are in no later one, after an expense id. */
export function listMovedRows(reader: Reader, asked: { handover_id: number; after_id: number; limit: number }) {
  return reader.all(listMoved, asked)
}

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
