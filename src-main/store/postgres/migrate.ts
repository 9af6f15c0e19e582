import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from '#db/index'
import { DatabaseError } from '../core/database-error'
import { commitMarksTable } from './commit-marks'
import { createKysely } from './compiler'
import type { Client } from './connection'
import { prelude, toPostgres } from './ddl'
import { notesTable } from './notes'
import { watchSteadyTables } from './steady-tables'

const names = Object.keys(migrations).toSorted()

/** The schema version that this program writes. */
export const schemaVersion = names.length

/** An arbitrary number for the lock that makes processes migrate one at a time. */
const migrationLock = 4870_0001

/** Jobs that an earlier version kept in a table that no migration knew. */
const takeServerJobs = `DO $$ BEGIN IF to_regclass('server_jobs') IS NOT NULL THEN
  INSERT INTO jobs SELECT kind, id, record, waits::int, holder, (extract(epoch FROM until) * 1000)::bigint, takes, done, total, place,
    to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM server_jobs;
  DROP TABLE server_jobs; END IF; END $$`

/**
 * Migrates a database to this program's schema, in one transaction. If several processes start at once, one migrates and the others wait. Throws
 * {@link DatabaseError} without changing anything.
 */
export async function migratePostgres(client: Client): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`)
    const done = await listDone(client)
    const pending = names.slice(done.length)
    if (done.length > names.length || done.some((name, index) => name !== names[index])) throw newer(done.length)
    if (pending.length > 0) await (done.length === 0 ? createAll(client) : upgrade(client, pending))
    await client.query(notesTable)
    await client.query(takeServerJobs)
    await client.query(commitMarksTable)
    await watchSteadyTables(client)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** The error for a database that a later program has upgraded. */
export function newer(schema: number): DatabaseError {
  return new DatabaseError(
    'newer',
    `This database was upgraded by a newer Outlay (schema ${schema}, this version knows ${schemaVersion}). Install that version or a later one.`,
    `schema ${schema}`,
  )
}

async function listDone(client: Client): Promise<string[]> {
  const { rows: found } = await client.query<{ found: string | null }>(`SELECT to_regclass('kysely_migration')::text AS found`)
  if (found[0]?.found === null) return []
  return (await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name COLLATE "C"')).rows.map(({ name }) => name)
}

/** Creates the newest schema in an empty database, as all migrations leave it. */
async function createAll(client: Client): Promise<void> {
  for (const text of [...prelude, ...(await newestSchema()).flatMap(toPostgres)]) await client.query(text)
  await client.query('INSERT INTO log_head (id, schema_version) VALUES (1, 0)')
  await noteDone(client, names)
}

/** The statements of the schema after all migrations up to and including `until`, taken from a database in memory. */
export async function newestSchema(until = names.at(-1) ?? ''): Promise<string[]> {
  const raw = new Database(':memory:')
  try {
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: raw }) })
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve(Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= until))) },
    }).migrateToLatest()
    if (error) throw error instanceof Error ? error : new Error('The schema could not be made.')
    return raw.prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').pluck().all()
  } finally {
    raw.close()
  }
}

/** Runs pending migrations, each translated by the same rules. */
async function upgrade(client: Client, pending: readonly string[]): Promise<void> {
  const db = createKysely(async ({ sql: text }) => {
    for (const statement of toPostgres(text)) await client.query(statement)
    return { rows: [] }
  })
  for (const name of pending) await migrations[name]?.up(db)
  await noteDone(client, pending)
}

async function noteDone(client: Client, done: readonly string[]): Promise<void> {
  await client.query('INSERT INTO kysely_migration (name, timestamp) SELECT name, now()::text FROM unnest($1::text[]) AS name', [done])
  await client.query('UPDATE log_head SET schema_version = $1', [schemaVersion])
}
