import { type RawBuilder, sql } from 'kysely'
import type { Row, Schema } from '#db/schema'
import type { Cell, RecordRef, TablePart } from '#shared/contract/sync'
import { type Audience, type SharedRecord, sharedRecords, visibleActivities, parentTables } from './shared-records'
import { statement } from './statement'
import type { Reader } from './store'

type LogRow = Row<'change_log'>

const listLogRows = statement<{ after: number; limit: number }, LogRow>((db, p) =>
  db.selectFrom('change_log').selectAll().where('seq', '>', p('after')).orderBy('seq').limit(p('limit')),
)
const findLogRow = statement<{ seq: number }, { nonce: string }>((db, p) =>
  db.selectFrom('change_log').select('nonce').where('seq', '=', p('seq')),
)
const findNewest = statement<Record<string, never>, { seq: number; nonce: string }>((db) =>
  db.selectFrom('change_log').select(['seq', 'nonce']).orderBy('seq', 'desc').limit(1),
)
const findOldest = statement<Record<string, never>, { seq: number }>((db) =>
  db.selectFrom('change_log').select('seq').orderBy('seq').limit(1),
)
const findNewestActivity = statement<Record<string, never>, { id: number }>((db) =>
  db.selectFrom('activities').select('id').orderBy('id', 'desc').limit(1),
)

/** The next changes after a place in the log. */
export function listLog(reader: Reader, place: { after: number; limit: number }): Promise<LogRow[]> {
  return reader.all(listLogRows, place)
}

/** The nonce of a change; none where there is no such change. */
export async function findNonce(reader: Reader, seq: number): Promise<string | undefined> {
  return (await reader.first(findLogRow, { seq }))?.nonce
}

/** The newest change in the log, and the newest entry of the audit trail. */
export interface LogEnd {
  readonly seq: number
  readonly nonce: string
  readonly activity_id: number
}

const emptyLog: LogEnd = { seq: 0, nonce: '', activity_id: 0 }

/** Where the log ends, and where it begins. */
export async function getLogEnd(reader: Reader): Promise<LogEnd & { oldest: number }> {
  const { seq, nonce } = (await reader.first(findNewest, {})) ?? emptyLog
  const { id: activity_id } = (await reader.first(findNewestActivity, {})) ?? { id: 0 }
  return { seq, nonce, activity_id, oldest: (await reader.first(findOldest, {}))?.seq ?? 0 }
}

type PlainRow = Readonly<Record<string, Cell>>

async function select({ db }: Reader, query: RawBuilder<PlainRow>): Promise<PlainRow[]> {
  return (await query.execute(db)).rows
}

/** Rows as they travel: the columns once, then the values. Nothing where there are none. */
function toPart(name: string, rows: readonly PlainRow[], replaced: PlainRow = {}): TablePart[] {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first)
  return [
    {
      name,
      columns,
      rows: rows.map((row) => columns.map((column) => (column in replaced ? replaced[column] : row[column]) ?? null)),
    },
  ]
}

const ids = (values: readonly number[]) => sql.join(values.length === 0 ? [0] : values.map((value) => sql.lit(value)))

/** Those of some records that the audience may see, deleted ones too, with what belongs to them. */
export async function readRecords(
  reader: Reader,
  record: SharedRecord,
  { record_ids, audience }: { record_ids: readonly number[]; audience: Audience },
): Promise<{ rows: readonly PlainRow[]; parts: TablePart[] }> {
  const rows = await select(
    reader,
    sql`select * from ${sql.table(record.table)} where id in (${ids(record_ids)}) and ${record.visible(audience)} order by id`,
  )
  return { rows, parts: await withLinks(reader, record, rows) }
}

/** The next records that the audience may see, by their ids. */
export async function readRecordsAfter(
  reader: Reader,
  record: SharedRecord,
  { after, limit, audience }: { after: number; limit: number; audience: Audience },
): Promise<{ rows: readonly PlainRow[]; parts: TablePart[] }> {
  const rows = await select(
    reader,
    sql`select * from ${sql.table(record.table)} where id > ${after} and ${liveOf(record)} and ${record.visible(audience)}
      order by id limit ${limit}`,
  )
  return { rows, parts: await withLinks(reader, record, rows) }
}

const liveOf = ({ table, withDeleted }: SharedRecord) =>
  withDeleted || table === 'user_emails' ? sql`1` : sql`${sql.ref(`${table}.deleted_at`)} is null`

async function withLinks(
  reader: Reader,
  { table, links, hidden }: SharedRecord,
  rows: readonly PlainRow[],
): Promise<TablePart[]> {
  const parts = toPart(table, rows, hidden)
  if (!links || rows.length === 0) return parts
  const owners = ids(rows.map(({ id }) => Number(id)))
  // What is deleted does not come with a snapshot, so nothing of one may lead to it.
  const leads = links.to
    ? sql`exists (select 1 from ${sql.table(links.to.table)} as target where target.id = ${sql.ref(links.to.column)} and target.deleted_at is null)`
    : sql`1`
  const linked = await select(
    reader,
    sql`select * from ${sql.table(links.table)} where ${sql.ref(links.column)} in (${owners}) and ${leads}`,
  )
  return [...parts, ...toPart(links.table, linked)]
}

/** The ids of the records that hang on some parents. */
export async function listChildIds(
  reader: Reader,
  { table, column, parent_ids }: { table: keyof Schema; column: string; parent_ids: readonly number[] },
): Promise<number[]> {
  const rows = await select(
    reader,
    sql`select id from ${sql.table(table)} where ${sql.ref(column)} in (${ids(parent_ids)}) and ${sql.ref(column)} is not null`,
  )
  return rows.map(({ id }) => Number(id))
}

/** The records in which a user took part, or takes part, by these participations. */
export async function listFollowed(
  reader: Reader,
  { participation_ids, user_id }: { participation_ids: readonly number[]; user_id: number },
): Promise<RecordRef[]> {
  const found: RecordRef[] = []
  for (const [column, table] of Object.entries(parentTables)) {
    const { rows } = await sql<{
      id: number
      uid: string
    }>`select ${sql.ref(`${table}.id`)}, ${sql.ref(`${table}.uid`)} from participants
      join ${sql.table(table)} on ${sql.ref(`${table}.id`)} = ${sql.ref(`participants.${column}`)}
      where participants.id in (${ids(participation_ids)}) and participants.user_id = ${user_id}`.execute(reader.db)
    found.push(...rows.map((row) => ({ table, ...row })))
  }
  return found
}

/** The users of some memberships. */
export async function listMembersOf(reader: Reader, membership_ids: readonly number[]): Promise<number[]> {
  const rows = await select(reader, sql`select distinct user_id as id from memberships where id in (${ids(membership_ids)})`)
  return rows.map(({ id }) => Number(id))
}

/** The expenses of some accountabilities. */
export async function listExpenseIdsOf(reader: Reader, accountability_ids: readonly number[]): Promise<number[]> {
  const rows = await select(
    reader,
    sql`select expense_id as id from accountability_expenses where accountability_id in (${ids(accountability_ids)})`,
  )
  return rows.map(({ id }) => Number(id))
}

/** What of an entry concerns this instance alone. */
const hiddenInTrail: PlainRow = { request_id: null }

/** The entries of the audit trail about some subjects, after a place in it. */
export async function readTrailOf(
  reader: Reader,
  { subject, subject_ids, after }: { subject: string; subject_ids: readonly number[]; after: number },
): Promise<TablePart[]> {
  const rows = await select(
    reader,
    sql`select * from activities where subject_type = ${subject} and subject_id in (${ids(subject_ids)}) and id > ${after} order by id`,
  )
  return toPart('activities', rows, hiddenInTrail)
}

/** The next entries of the audit trail that the audience may see. */
export async function readTrailAfter(
  reader: Reader,
  { after, limit, audience }: { after: number; limit: number; audience: Audience },
): Promise<TablePart[]> {
  const rows = await select(
    reader,
    sql`select * from activities where id > ${after} and ${visibleActivities(audience)} order by id limit ${limit}`,
  )
  return toPart('activities', rows, hiddenInTrail)
}

/** How many rows of a kind an audience may see, and a sum that differs when their ids or versions do. */
export interface RecordSum {
  readonly name: string
  readonly count: number
  readonly sum: number
}

/** Sums of every kind of record, and where the log ended at that moment. A thread of its own reads the rows: it is all there are. */
export async function sumRecords(reader: Reader, audience: Audience): Promise<{ tables: RecordSum[]; end: LogEnd }> {
  const sums = sharedRecords.map((record) => {
    const version = record.table === 'user_emails' ? sql`main` : sql`version`
    return sql`select ${sql.lit(record.table)} as name, count(*) as count,
        coalesce(sum((id * 1000003 + ${version} * 7919) % 1000000007), 0) as sum
      from ${sql.table(record.table)} where ${liveOf(record)} and ${record.visible(audience)}`
  })
  const query = sql<RecordSum & LogEnd>`select name, count, sum,
      coalesce((select max(seq) from change_log), 0) as seq,
      coalesce((select nonce from change_log order by seq desc limit 1), '') as nonce,
      coalesce((select max(id) from activities), 0) as activity_id
    from (${sql.join(sums, sql` union all `)})`
  const rows = await reader.allApart(query.compile(reader.db))
  const { seq, nonce, activity_id } = rows[0] ?? emptyLog
  return { tables: rows.map(({ name, count, sum }) => ({ name, count, sum })), end: { seq, nonce, activity_id } }
}

/** What stands for a record that is named by one that is seen, but is not seen itself. */
const stubs: Readonly<Record<string, PlainRow>> = {
  users: { locale: 'en', timezone: 'UTC' },
  organizations: { logo_sha256: null },
  tags: {},
  corporative_cards: { name: '', number_last4: '', number_hmac: '', expiration_month: 1, expiration_year: 2000 },
  pre_expenses: {
    description: null,
    amount_minor: null,
    amount_scaled: null,
    tags: '',
    extra_information: '{}',
    external_id: null,
  },
  reimbursements: { description: null, amount_minor: 1, amount_scaled: 0 },
  blobs: {},
}

/** Which tables the columns of a shared row name, parents last: what they bring along names more. */
const references: ReadonlyArray<{ table: string; columns: readonly string[] }> = [
  { table: 'reimbursements', columns: ['reimbursement_id'] },
  { table: 'corporative_cards', columns: ['corporative_card_id'] },
  { table: 'pre_expenses', columns: ['pre_expense_id'] },
  { table: 'tags', columns: ['tag_id'] },
  { table: 'organizations', columns: ['payer_id', 'organization_id'] },
  { table: 'users', columns: ['receiver_id', 'author_id', 'responsible_user_id', 'user_id'] },
  { table: 'blobs', columns: ['sha256', 'avatar_sha256', 'logo_sha256'] },
]

/** The rows that others name and that their audience does not see otherwise, reduced to what a name needs; parents first. */
export async function readReferences(reader: Reader, parts: readonly TablePart[], audience: Audience): Promise<TablePart[]> {
  const found: TablePart[] = []
  for (const { table, columns } of references) {
    const named = new Set<string>()
    for (const part of [...parts, ...found]) collect(part, { table, columns, named })
    if (named.size === 0) continue
    const key = table === 'blobs' ? 'sha256' : 'id'
    const record = sharedRecords.find((one) => one.table === table)
    const rows = await select(
      reader,
      sql`select * from ${sql.table(table)} where ${sql.ref(key)} in (${sql.join([...named].map((one) => (key === 'id' ? Number(one) : one)))})
        and not ${record ? sql`(${record.visible(audience)} and ${liveOf(record)})` : sql`0`}`,
    )
    found.unshift(...toPart(table, rows, stubs[table]))
  }
  return found
}

function collect(
  part: TablePart,
  { table, columns, named }: { table: string; columns: readonly string[]; named: Set<string> },
): void {
  for (const [index, column] of part.columns.entries()) {
    if (!columns.includes(column) || (column === 'sha256' && part.name === table)) continue
    for (const row of part.rows) {
      const value = row[index]
      if (value !== null && value !== undefined) named.add(String(value))
    }
  }
}
