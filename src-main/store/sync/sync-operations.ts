import { sql } from 'kysely'
import type { Row } from '#db/schema'
import type { Audience } from './audience'
import { findSharedRecord, sharedRecords } from './shared-records'
import { rowsOfPlaces } from '../core/queryable'
import { type Statement, listStatement, statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

type Operation = Row<'sync_operations'>

const findRow = statement<{ op_id: string }, Operation>((db, p) =>
  db.selectFrom('sync_operations').selectAll().where('op_id', '=', p('op_id')),
)
const listUsersOf = listStatement<string, Pick<Operation, 'op_id' | 'user_id'>>((db, op_ids) =>
  db.selectFrom('sync_operations').select(['op_id', 'user_id']).where('op_id', 'in', op_ids),
)
const insertText = 'INSERT INTO sync_operations (op_id, user_id, body_hash, result, created_at) VALUES '
const pruneRows = statement<{ before: string }, unknown>((db, p) => db.deleteFrom('sync_operations').where('created_at', '<', p('before')))
const findLogged = statement<{ seq: number }, { op_id: string | null }>((db, p) =>
  db.selectFrom('change_log').select('op_id').where('seq', '=', p('seq')),
)
const listSince = statement<
  { record_id: number; record_uid: string; version: number },
  Pick<Row<'change_log'>, 'op_id' | 'actor_user_id' | 'changed' | 'created_at'>
>((db, p) =>
  db
    .selectFrom('change_log')
    .select(['op_id', 'actor_user_id', 'changed', 'created_at'])
    // The index begins with the table.
    .where(
      sql<string>`table_name`,
      'in',
      sharedRecords.map(({ table }) => table),
    )
    .where('record_id', '=', p('record_id'))
    .where('record_uid', '=', p('record_uid'))
    .where('version', '>', p('version'))
    .orderBy('seq', 'desc'),
)
const findLast = statement<{ table_name: string; record_id: number }, { seq: number | null }>((db, p) =>
  db
    .selectFrom('change_log')
    .select(sql<number | null>`max(seq)`.as('seq'))
    .where(sql<string>`table_name`, '=', p('table_name'))
    .where('record_id', '=', p('record_id')),
)
const findGrant = statement<{ table_name: string; id: number; user_id: number }, { first_id: number }>((db, p) =>
  db
    .selectFrom('sync_grants')
    .select('first_id')
    .where('table_name', '=', p('table_name'))
    .where('user_id', '=', p('user_id'))
    .where('first_id', '<=', p('id'))
    .where('last_id', '>=', p('id')),
)
const insertGrant = statement<Row<'sync_grants'>, unknown>((db, p) =>
  db
    .insertInto('sync_grants')
    .values({
      table_name: p('table_name'),
      first_id: p('first_id'),
      last_id: p('last_id'),
      user_id: p('user_id'),
      created_at: p('created_at'),
    }),
)

/** The stored result of an operation. */
export function findOperation(reader: Reader, op_id: string): Promise<Operation | undefined> {
  return reader.first(findRow, { op_id })
}

/** The operation that made a change; undefined if a request made it, or the change does not exist. */
export async function findOperationOf(reader: Reader, seq: number): Promise<string | undefined> {
  return (await reader.first(findLogged, { seq }))?.op_id ?? undefined
}

/** The operations among these that came from a user's devices. */
export async function listOwnOperations(
  reader: Reader,
  { op_ids, user_id }: { op_ids: readonly string[]; user_id: number },
): Promise<ReadonlySet<string>> {
  const found = await reader.allOf(listUsersOf, op_ids)
  return new Set(found.filter((operation) => operation.user_id === user_id).map(({ op_id }) => op_id))
}

/** Stores the results of operations, in the transaction of their effect. */
export async function storeOperations(tx: Tx, operations: ReadonlyArray<Omit<Operation, 'created_at'>>): Promise<void> {
  const values = operations.flatMap(({ op_id, user_id, body_hash, result }) => [op_id, user_id, body_hash, result, tx.now])
  await tx.write(insertText + rowsOfPlaces(5, operations.length), values)
}

/** Deletes operations that no replica will send again. */
export async function pruneOperations(tx: Tx, before: string): Promise<void> {
  await tx.run(pruneRows, { before })
}

/** A record to which operations refer. */
export interface KnownRecord {
  readonly id: number
  readonly version: number
  readonly deleted_at: string | null
}

/** How to find the records of each table to which operations refer. */
const identified = new Map<string, { byUid: Statement<{ uid: string }, KnownRecord>; byId: Statement<{ id: number }, Identified> }>(
  sharedRecords.flatMap(({ table }) => {
    if (table === 'user_emails') return []
    const byUid = statement<{ uid: string }, KnownRecord>((db, p) =>
      db.selectFrom(table).select(['id', 'version', 'deleted_at']).where('uid', '=', p('uid')),
    )
    const byId = statement<{ id: number }, Identified>((db, p) => db.selectFrom(table).select('uid').where('id', '=', p('id')))
    return [[table, { byUid, byId }] as const]
  }),
)
interface Identified {
  readonly uid: string
}

/**
 * A record by its uid if an audience may see it, deleted or not, with the version that they get; a hidden one counts as missing
 * (`src-main/sync/SPEC.md`, "Sight").
 */
export async function findSeenByUid(
  reader: Reader,
  { table, uid }: { table: string; uid: string },
  audience: Audience,
): Promise<KnownRecord | undefined> {
  const record = findSharedRecord(table)
  if (!record || !identified.has(table)) return undefined
  const version = record.told?.(audience).version ?? sql`version`
  const { rows } = await sql<KnownRecord>`select id, ${version} as version, deleted_at from ${sql.table(table)}
    where uid = ${uid} and ${record.visible(audience)}`.execute(reader.db)
  return rows[0]
}

/** A record of a shared table by its uid. */
export async function findByUid(reader: Reader, table: string, uid: string): Promise<KnownRecord | undefined> {
  const byUid = identified.get(table)?.byUid
  return byUid && reader.first(byUid, { uid })
}

/** The uid of a record by its id. */
export async function findUid(reader: Reader, table: string, id: number): Promise<string | undefined> {
  const byId = identified.get(table)?.byId
  return byId && (await reader.first(byId, { id }))?.uid
}

/** The changes of a record after a version, newest first. */
export function listChangesSince(reader: Reader, record: { record_id: number; record_uid: string; version: number }) {
  return reader.all(listSince, record)
}

/** The last change of a record; 0 if it is no longer in the log. */
export async function findLastChange(reader: Reader, record: { table_name: string; record_id: number }): Promise<number> {
  return Number((await reader.first(findLast, record))?.seq ?? 0)
}

/** Whether this id was leased to a user's devices. */
export async function isGranted(reader: Reader, grant: { table_name: string; id: number; user_id: number }): Promise<boolean> {
  return (await reader.first(findGrant, grant)) !== undefined
}

/** Takes a table's next ids from its sequence, for a device of the acting user. */
export async function grantIds(tx: Tx, table_name: string, count: number): Promise<{ first_id: number; last_id: number }> {
  if (!findSharedRecord(table_name)) throw new Error(`No ids are leased of ${table_name}.`)
  const last_id = await tx.takeIds(table_name, count)
  const first_id = last_id - count + 1
  await tx.run(insertGrant, { table_name, first_id, last_id, user_id: tx.actor.user_id, created_at: tx.now })
  return { first_id, last_id }
}
