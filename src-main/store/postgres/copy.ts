import Database from 'better-sqlite3'
import pg from 'pg'
import { registerRowSum, sumAllRows } from '../core/row-sums'
import type { Tx } from '../core/store'
import { types } from './connection'
import { connectionTo } from './session'

/** A table of both databases: its columns, and those that order its rows for copying. */
interface Copied {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

type Row = Readonly<Record<string, unknown>>

/** Runs a text with `?` parameters on PostgreSQL; resolves to its rows. */
type Ask = (text: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>

const pageLength = 500

/** Tables that only a database in a file has, or that describe how the file was closed. */
const ofFile = /^(sqlite_|kysely_|expense_search|row_sums$)/

/** The tables that both databases have, parents before children. */
function listTables(raw: Database.Database): Copied[] {
  const names = raw.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").pluck().all()
  return names
    .filter((name) => !ofFile.test(name))
    .map((name) => {
      const columns = raw.prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)').all(name)
      const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk)
      return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) }
    })
}

function* pagesOfFile(raw: Database.Database, { name, columns, key }: Copied): Generator<Row[]> {
  let page: Row[] = []
  for (const row of raw.prepare<[], Row>(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`).iterate()) {
    page.push(row)
    if (page.length === pageLength) {
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}

/** Pages of a table's rows on PostgreSQL, in the file's order. */
async function* pagesOfServer(ask: Ask, { name, columns, key }: Copied): AsyncGenerator<readonly Row[]> {
  const cursor = `copied_${name}`
  await ask(`DECLARE ${cursor} CURSOR FOR SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`)
  for (;;) {
    const rows = await ask(`FETCH ${pageLength} FROM ${cursor}`)
    if (rows.length === 0) break
    yield rows
  }
  await ask(`CLOSE ${cursor}`)
}

/** A table's rows differ between the databases; the copy is rolled back. */
export class CopyDiffers extends Error {}

/** Compares all rows of a table, value by value; returns their number. Throws {@link CopyDiffers}. */
async function compare(raw: Database.Database, ask: Ask, table: Copied): Promise<number> {
  let count = 0
  const ofServer = pagesOfServer(ask, table)
  for (const page of pagesOfFile(raw, table)) {
    const next = await ofServer.next()
    if (JSON.stringify(page) !== JSON.stringify(next.done ? [] : next.value))
      throw new CopyDiffers(`Rows of ${table.name} differ in the copy.`)
    count += page.length
  }
  if ((await ofServer.next()).done !== true) throw new CopyDiffers(`The copy of ${table.name} has too many rows.`)
  return count
}

/** Whether a PostgreSQL database has no data of users. */
async function isUnused(ask: Ask): Promise<boolean> {
  return (await ask('SELECT 1 FROM users UNION ALL SELECT 1 FROM organizations LIMIT 1')).length === 0
}

/** The number of rows of each table. */
export type CopiedRows = ReadonlyMap<string, number>

/**
 * Copies all rows of a database file into a migrated PostgreSQL database, inside a transaction, and compares both; undefined if the target holds data
 * already. The caller must rebuild derived data, such as the search index, in the same transaction. Throws {@link CopyDiffers}.
 */
export async function copyToServer(path: string, tx: Tx): Promise<CopiedRows | undefined> {
  const raw = new Database(path, { readonly: true })
  const ask: Ask = (text, parameters = []) => tx.writeAll(text, parameters)
  try {
    return (await isUnused(ask)) ? await fillServer(raw, ask) : undefined
  } finally {
    raw.close()
  }
}

/** The reverse of {@link copyToServer}: copies into a new, migrated file; undefined if there is nothing to copy. */
export async function copyToFile(url: string, path: string): Promise<CopiedRows | undefined> {
  const raw = new Database(path)
  try {
    return await withServer(url, async (ask) => ((await isUnused(ask)) ? undefined : fillFile(ask, raw)))
  } finally {
    raw.close()
  }
}

async function fillServer(raw: Database.Database, ask: Ask): Promise<CopiedRows> {
  const tables = listTables(raw)
  const counts = new Map<string, number>()
  for (const { name } of tables) await ask(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  for (const { name } of tables.toReversed()) await ask(`DELETE FROM ${name}`)
  for (const table of tables) {
    const { name, columns } = table
    const list = columns.join(', ')
    const insert = `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, ?)`
    for (const page of pagesOfFile(raw, table)) await ask(insert, [JSON.stringify(page)])
    counts.set(name, await compare(raw, ask, table))
  }
  for (const { name } of tables) await ask(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
  const sequences = raw.prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').all()
  for (const { name, seq } of sequences) {
    const column = name === 'change_log' ? 'seq' : 'id'
    if (seq > 0) await ask(`SELECT setval(pg_get_serial_sequence('${name}', '${column}'), ?)`, [seq])
  }
  await ask(`SELECT setval(pg_get_serial_sequence('picture_hashes', 'id'), greatest(1, (SELECT max(id) FROM picture_hashes)))`)
  // The planner needs statistics, and a new database has none.
  await ask('ANALYZE')
  return counts
}

async function fillFile(ask: Ask, raw: Database.Database): Promise<CopiedRows> {
  registerRowSum(raw)
  raw.pragma('foreign_keys = OFF')
  raw.exec('BEGIN IMMEDIATE')
  const tables = listTables(raw)
  const counts = new Map<string, number>()
  const triggers = raw.prepare<[], { name: string; sql: string }>("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of triggers) raw.exec(`DROP TRIGGER main.${name}`)
  for (const { name } of tables.toReversed()) raw.exec(`DELETE FROM ${name}`)
  for (const table of tables) {
    const { name, columns } = table
    const insert = raw.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
    for await (const page of pagesOfServer(ask, table)) for (const row of page) insert.run(...columns.map((column) => row[column]))
    counts.set(name, await compare(raw, ask, table))
  }
  for (const { sql } of triggers) raw.exec(sql)
  await takeSequences(ask, raw)
  sumAllRows(raw)
  raw.exec('COMMIT')
  const [dangling] = raw.prepare<[], string>('PRAGMA foreign_key_check').pluck().all()
  if (dangling !== undefined) throw new CopyDiffers(`A row of ${dangling} refers to one that is not there.`)
  return counts
}

async function takeSequences(ask: Ask, raw: Database.Database): Promise<void> {
  const rows = await ask(
    `SELECT replace(replace(sequencename, '_seq_seq', ''), '_id_seq', '') AS name, last_value AS last FROM pg_sequences WHERE schemaname = 'public'`,
  )
  const set = raw.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
  const add = raw.prepare(
    'INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)',
  )
  const isCounted = raw.prepare<[string], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'",
  )
  for (const { name, last } of rows) {
    if (typeof name !== 'string' || typeof last !== 'number' || !isCounted.get(name)) continue
    add.run(name, last, name)
    set.run(last, name)
  }
}

/** Runs reads on a separate client, in one transaction that sees one moment. */
async function withServer<T>(url: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionTo(url), application_name: 'outlay migrate-database' })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await work(async (text) => (await client.query<Row & pg.QueryResultRow>({ text, types })).rows)
  } finally {
    await client.end()
  }
}
