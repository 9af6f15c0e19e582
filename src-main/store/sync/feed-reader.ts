import { listed } from '../core/dialect'
import { type RawBuilder, sql } from 'kysely'
import type { Row, Schema } from '#db/schema'
import type { RecordRef, TablePart } from '#shared/contract/sync'
import type { Audience } from './audience'
import { followableTables } from '../records/conversations/followable-columns'
import type { PlainRow } from './seen-links'
import { type SharedRecord, sharedRecords } from './shared-records'
import { seesTrail, visibleActivities } from './visible-trail'
import { statement } from '../core/statement'
import type { Reader } from '../core/store'

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

/** The next changes after a position in the log. */
export function listLog(reader: Reader, place: { after: number; limit: number }): Promise<LogRow[]> {
  return reader.all(listLogRows, place)
}

/** The nonce of a change; undefined if the change does not exist. */
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

/** The newest and the oldest position of the log. */
export async function getLogEnd(reader: Reader): Promise<LogEnd & { oldest: number }> {
  const { seq, nonce } = (await reader.first(findNewest, {})) ?? emptyLog
  const { id: activity_id } = (await reader.first(findNewestActivity, {})) ?? { id: 0 }
  return { seq, nonce, activity_id, oldest: (await reader.first(findOldest, {}))?.seq ?? 0 }
}

/** The rows of a query. */
export async function select({ db }: Reader, query: RawBuilder<PlainRow>): Promise<PlainRow[]> {
  return (await query.execute(db)).rows
}

/** The rows of a query in the wire format, without making an object for each; undefined if there are none. */
async function selectPart(reader: Reader, name: string, query: RawBuilder<unknown>): Promise<TablePart[]> {
  const { columns, rows } = await reader.cells(query)
  return rows.length === 0 ? [] : [{ name, columns, rows }]
}

function idsOf(part: TablePart | undefined): number[] {
  const column = part?.columns.indexOf('id') ?? -1
  return part?.rows.map((row) => Number(row[column])) ?? []
}

/** Rows in the wire format: the columns once, then the values. Empty if there are none. */
export function toPart(name: string, rows: readonly PlainRow[]): TablePart[] {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first)
  return [{ name, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }]
}

/** Ids for an SQL `in`: one parameter, so one prepared query serves any number. */
const ids = (values: readonly number[]) => listed(JSON.stringify(values))

/** The columns of a record that an audience gets; of two with the same name the later one counts. */
function columnsFor({ table, told }: SharedRecord, audience: Audience): RawBuilder<unknown> {
  const instead = Object.entries(told?.(audience) ?? {}).map(([column, value]) => sql`${value} as ${sql.ref(column)}`)
  return sql.join([sql`${sql.table(table)}.*`, ...instead])
}

/** The ids of found records, and their rows with dependent rows. */
interface Found {
  readonly record_ids: readonly number[]
  readonly parts: TablePart[]
}

/** The records among some that the audience may see, including deleted ones, with dependent rows. */
export async function readRecords(
  reader: Reader,
  record: SharedRecord,
  { record_ids, audience }: { record_ids: readonly number[]; audience: Audience },
): Promise<Found> {
  const found = sql`select ${columnsFor(record, audience)} from ${sql.table(record.table)}
    where id in (${ids(record_ids)}) and ${record.visible(audience)} order by id`
  return withLinks(reader, record, { parts: await selectPart(reader, record.table, found), audience })
}

/** Whether the audience may see any of some records. */
export async function seesAny(
  reader: Reader,
  { table, visible }: SharedRecord,
  { record_ids, audience }: { record_ids: readonly number[]; audience: Audience },
): Promise<boolean> {
  const found = sql<PlainRow>`select id from ${sql.table(table)} where id in (${ids(record_ids)}) and ${visible(audience)} limit 1`
  return (await select(reader, found)).length > 0
}

/** The records among some that exist and that the audience may see, with the versions that it sees. */
export async function listSeen(
  reader: Reader,
  record: SharedRecord,
  { record_ids, audience }: { record_ids: readonly number[]; audience: Audience },
): Promise<Array<{ id: number; version: number }>> {
  const version = record.told?.(audience).version ?? sql`version`
  const found = sql<PlainRow>`select id, ${version} as version from ${sql.table(record.table)}
    where id in (${ids(record_ids)}) and ${liveOf(record)} and ${record.visible(audience)}`
  return (await select(reader, found)).map((row) => ({ id: Number(row.id), version: Number(row.version) }))
}

/** The next records that the audience may see, by id. */
export async function readRecordsAfter(
  reader: Reader,
  record: SharedRecord,
  { after, limit, audience }: { after: number; limit: number; audience: Audience },
): Promise<Found> {
  const found = sql`select ${columnsFor(record, audience)} from ${sql.table(record.table)} where id > ${after} and ${liveOf(record)} and ${record.visible(audience)}
    order by id limit ${limit}`
  return withLinks(reader, record, { parts: await selectPart(reader, record.table, found), audience })
}

/** The condition that a record exists, as snapshots and sums count it. */
export const liveOf = ({ table, withDeleted }: SharedRecord) =>
  withDeleted || table === 'user_emails' ? sql`1 = 1` : sql`${sql.ref(`${table}.deleted_at`)} is null`

async function withLinks(
  reader: Reader,
  { links }: SharedRecord,
  { parts, audience }: { parts: TablePart[]; audience: Audience },
): Promise<Found> {
  const record_ids = idsOf(parts[0])
  if (!links || record_ids.length === 0) return { record_ids, parts }
  const owners = ids(record_ids)
  const all = sql`select * from ${sql.table(links.table)} where ${sql.ref(links.column)} in (${owners})`
  return { record_ids, parts: [...parts, ...(await selectPart(reader, links.table, links.rows?.(audience, owners) ?? all))] }
}

/** The ids of records that belong to some parents. */
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

/** The records of some current or former participations of a user. */
export async function listFollowed(
  reader: Reader,
  { participation_ids, user_id }: { participation_ids: readonly number[]; user_id: number },
): Promise<RecordRef[]> {
  const found: RecordRef[] = []
  for (const [column, table] of followableTables) {
    const { rows } = await sql<{ id: number; uid: string }>`select ${sql.ref(`${table}.id`)}, ${sql.ref(`${table}.uid`)} from participants
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

/** Whether a user takes part in a record or created it, for records that this makes visible. */
export async function hasPart(reader: Reader, { table, id, user_id }: { table: string; id: number; user_id: number }): Promise<boolean> {
  if (table === 'accountabilities')
    return (await select(reader, sql`select id from accountabilities where id = ${id} and author_id = ${user_id}`)).length > 0
  const reference = [...followableTables].find(([, of]) => of === table)
  if (!reference) return false
  const found = sql<PlainRow>`select id from participants where ${sql.ref(reference[0])} = ${id} and user_id = ${user_id} and deleted_at is null`
  return (await select(reader, found)).length > 0
}

/** The accountabilities of some expenses. */
export async function listAccountabilityIdsOf(reader: Reader, expense_ids: readonly number[]): Promise<number[]> {
  const rows = await select(
    reader,
    sql`select accountability_id as id from accountability_expenses where expense_id in (${ids(expense_ids)})`,
  )
  return rows.map(({ id }) => Number(id))
}

/** An entry without what concerns this instance alone: the request, and the origin unless it affects notifications. */
const entries = sql`activities.*, null as request_id,
  case when origin in ('cli', 'demo', 'import') then origin else 'api' end as origin`

/** The trail's entries about some records that the audience may see, after a position. */
export async function readTrailOf(
  reader: Reader,
  record: SharedRecord,
  { subject_ids, after, audience }: { subject_ids: readonly number[]; after: number; audience: Audience },
): Promise<TablePart[]> {
  const { table, subject } = record
  if (subject === undefined || subject_ids.length === 0) return []
  const seen = sql`select id from ${sql.table(table)} where id in (${ids(subject_ids)}) and ${seesTrail(record, audience)}`
  return selectPart(
    reader,
    'activities',
    sql`select ${entries} from activities where subject_type = ${subject} and subject_id in (${seen}) and id > ${after} order by id`,
  )
}

/** The trail's next entries that the audience may see. */
export async function readTrailAfter(
  reader: Reader,
  { after, limit, audience }: { after: number; limit: number; audience: Audience },
): Promise<TablePart[]> {
  return selectPart(
    reader,
    'activities',
    sql`select ${entries} from activities where id > ${after} and ${visibleActivities(audience)} order by id limit ${limit}`,
  )
}

/** The number of an audience's visible rows of a kind, and a sum that changes with their ids or versions. */
export interface RecordSum {
  readonly name: string
  readonly count: number
  readonly sum: number
}

/** The sums of every kind of record, and the end of the log at that moment. A separate thread reads all rows. */
export async function sumRecords(reader: Reader, audience: Audience): Promise<{ tables: RecordSum[]; end: LogEnd }> {
  const sums = sharedRecords.map((record) => {
    const version = record.told?.(audience).version ?? (record.table === 'user_emails' ? sql`main` : sql`version`)
    return sql`select ${sql.lit(record.table)} as name, count(*) as count,
        coalesce(sum((id * 1000003 + ${version} * 7919) % 1000000007), 0) as sum
      from ${sql.table(record.table)} where ${liveOf(record)} and ${record.visible(audience)}`
  })
  const query = sql<RecordSum & LogEnd>`select name, count, sum,
      coalesce((select max(seq) from change_log), 0) as seq,
      coalesce((select nonce from change_log order by seq desc limit 1), '') as nonce,
      coalesce((select max(id) from activities), 0) as activity_id
    from (${sql.join(sums, sql` union all `)}) as sums`
  const rows = await reader.allApart(query.compile(reader.db))
  const { seq, nonce, activity_id } = rows[0] ?? emptyLog
  return { tables: rows.map(({ name, count, sum }) => ({ name, count, sum })), end: { seq, nonce, activity_id } }
}
