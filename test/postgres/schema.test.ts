import Database from 'better-sqlite3'
import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { migratePostgres, newestSchema } from '#main/store/postgres/migrate'
import { isOnPostgres, withDatabase } from '#test/support/databases/database-of'

interface Column {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly initial: string | null
}
interface Table {
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  readonly unique: readonly string[]
  readonly references: readonly string[]
  readonly checks: number
}
interface Described {
  readonly tables: Record<string, Table>
  /** Each as its table, its columns and its condition, without what only one of the databases says. */
  readonly indexes: Record<string, string>
  readonly triggers: string[]
}

const typeNames: Readonly<Record<string, string>> = { INTEGER: 'bigint', TEXT: 'text', REAL: 'double precision', BLOB: 'bytea' }
/** What only a file has, and what only PostgreSQL has. */
const ofOne = /^(sqlite_|expense_search|row_sums|kysely_|log_head|server_notes|commit_marks|expenses_payer_description)/

const plain = (condition: string) =>
  condition
    .replace(/::text(\[\])?|"|\+(?=\w)|[()]|\bCOLLATE \S+/g, '')
    .replace(/= ANY ARRAY\[(.*?)\]/gi, 'IN $1')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

function describeSqlite(raw: Database.Database): Described {
  const all = <T>(text: string, ...parameters: unknown[]) => raw.prepare<unknown[], T>(text).all(...parameters)
  const named = all<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").filter(
    ({ name }) => !ofOne.test(name),
  )
  const tables = named.map(({ name, sql }): [string, Table] => {
    const columns = all<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }>(
      'SELECT * FROM pragma_table_info(?)',
      name,
    )
    const unique = all<{ name: string; unique: number; origin: string }>('SELECT * FROM pragma_index_list(?)', name).filter(
      ({ origin }) => origin === 'u',
    )
    return [
      name,
      {
        columns: columns.map(({ name: column, type, notnull, dflt_value, pk }) => ({
          ...{ name: column, type: typeNames[type] ?? type, required: notnull === 1 || pk > 0, initial: dflt_value },
        })),
        key: columns
          .filter(({ pk }) => pk > 0)
          .toSorted((a, b) => a.pk - b.pk)
          .map((column) => column.name),
        unique: unique
          .map((index) =>
            all<{ name: string }>('SELECT name FROM pragma_index_info(?)', index.name)
              .map((one) => one.name)
              .join(),
          )
          .sort(),
        references: all<{ from: string; table: string; to: string }>('SELECT * FROM pragma_foreign_key_list(?)', name)
          .map(({ from, table, to }) => `${from} ${table}.${to}`)
          .sort(),
        checks: sql.match(/\bCHECK\b/g)?.length ?? 0,
      },
    ]
  })
  const indexes = all<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").filter(
    ({ name }) => !ofOne.test(name),
  )
  const triggers = all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
  return {
    tables: Object.fromEntries(tables),
    indexes: Object.fromEntries(indexes.map(({ name, sql }) => [name, plain(sql.replace(/\s+/g, ' ').replace(/ ON (\w+) /, ' ON $1 '))])),
    triggers: triggers.map(({ name }) => name),
  }
}

async function describePostgres(client: pg.Client): Promise<Described> {
  const all = async <T extends pg.QueryResultRow>(text: string) => (await client.query<T>(text)).rows
  const columns = await all<{
    table_name: string
    column_name: string
    data_type: string
    is_nullable: string
    column_default: string | null
  }>(`SELECT * FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`)
  const constraints = await all<{ of: string; kind: string; columns: string[]; target: string | null; to: string[] | null }>(`
    SELECT conrelid::regclass::text AS of, contype AS kind, confrelid::regclass::text AS target,
      ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS k (n, place) JOIN pg_attribute ON attrelid = conrelid AND attnum = n ORDER BY place) AS columns,
      ARRAY(SELECT attname::text FROM unnest(confkey) AS n JOIN pg_attribute ON attrelid = confrelid AND attnum = n) AS to
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace`)
  const names = [...new Set(columns.map(({ table_name }) => table_name))].filter((name) => !ofOne.test(name))
  const tables = names.map((name): [string, Table] => {
    const own = constraints.filter(({ of }) => of === name)
    return [
      name,
      {
        columns: columns
          .filter(({ table_name }) => table_name === name)
          .map((column) => ({
            name: column.column_name,
            type: column.data_type,
            required: column.is_nullable === 'NO',
            initial: column.column_default?.replace(/::\w+$/, '') ?? null,
          })),
        key: own.find(({ kind }) => kind === 'p')?.columns ?? [],
        unique: own
          .filter(({ kind }) => kind === 'u')
          .map((one) => one.columns.join())
          .sort(),
        references: own
          .filter(({ kind }) => kind === 'f')
          .map((one) => `${one.columns.join()} ${one.target ?? ''}.${one.to?.join() ?? ''}`)
          .sort(),
        checks: own.filter(({ kind }) => kind === 'c').length,
      },
    ]
  })
  const indexes = (
    await all<{ indexname: string; indexdef: string }>(`
    SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT IN (SELECT conname FROM pg_constraint)`)
  ).filter(({ indexname }) => !ofOne.test(indexname))
  const triggers = await all<{ name: string }>(
    `SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal AND tgname <> 'steady_version' ORDER BY tgname COLLATE "C"`,
  )
  return {
    tables: Object.fromEntries(tables),
    indexes: Object.fromEntries(
      indexes.map(({ indexname, indexdef }) => [
        indexname,
        plain(indexdef.replace(/ USING btree| public\.|/g, (part) => (part === ' public.' ? ' ' : '')).replace(/ NULLS (FIRST|LAST)/g, '')),
      ]),
    ),
    triggers: triggers.map(({ name }) => name),
  }
}

describe.skipIf(!isOnPostgres)('the schema on PostgreSQL', () => {
  let sqlite: Described
  let postgres: Described
  beforeAll(async () => {
    const raw = new Database(':memory:')
    for (const statement of await newestSchema()) if (!/sqlite_sequence|expense_search_/.test(statement)) raw.exec(statement)
    sqlite = describeSqlite(raw)
    raw.close()
    await withDatabase(async (client) => (postgres = await describePostgres(client)))
  })

  test('has the same tables, columns, types, keys, references and number of checks', () => {
    expect(Object.keys(postgres.tables).toSorted()).toEqual(Object.keys(sqlite.tables).toSorted())
    expect(postgres.tables).toEqual(sqlite.tables)
  })
  test('has the same indexes with the same conditions', () => {
    expect(Object.keys(sqlite.indexes).length).toBeGreaterThan(100)
    expect(postgres.indexes).toEqual(sqlite.indexes)
  })
  test('takes the jobs of an earlier version, which kept them in a table of their own', async () => {
    await withDatabase(async (client) => {
      await client.query(`CREATE TABLE server_jobs (kind text NOT NULL, id text NOT NULL, record text NOT NULL, waits boolean NOT NULL,
        holder text, until timestamptz, takes integer NOT NULL DEFAULT 0, done integer NOT NULL DEFAULT 0, total integer, place text,
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (kind, id))`)
      await client.query(
        `INSERT INTO server_jobs VALUES ('exports', 'a', '{}', true, 'b', '2026-01-01T00:00:00.5Z', 1, 2, 3, 'c', '2026-01-02T03:04:05.6Z')`,
      )
      await migratePostgres(client)
      const taken = {
        kind: 'exports',
        id: 'a',
        record: '{}',
        waits: '1',
        holder: 'b',
        until: '1767225600500',
        takes: '1',
        done: '2',
        total: '3',
      }
      expect((await client.query('SELECT * FROM jobs')).rows).toEqual([{ ...taken, place: 'c', changed_at: '2026-01-02T03:04:05Z' }])
      expect((await client.query(`SELECT to_regclass('server_jobs') AS found`)).rows).toEqual([{ found: null }])
    })
  })
  test('has the same triggers', () => expect(postgres.triggers).toEqual(sqlite.triggers))
})
