import Database from 'better-sqlite3'
import pg from 'pg'
import { registerRowSum, sumAllRows } from '../core/row-sums'
import { type Client, types } from './connection'
import { connectionTo } from './session'

/** A table of both databases, as it is copied: its columns, and those that order its rows. */
interface Copied {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

type Row = Readonly<Record<string, unknown>>

/** How many rows go at a time. */
const pageLength = 500

/** What a database in a file has alone, or keeps of how it was closed. */
const ofFile = /^(sqlite_|kysely_|expense_search|row_sums$)/

/** The tables of a database that both have, parents before children. */
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

/** The rows of a table on PostgreSQL, in the order of a file's. */
async function* pagesOfServer(client: Client, { name, columns, key }: Copied): AsyncGenerator<Row[]> {
  await client.query(`DECLARE copied CURSOR FOR SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`)
  try {
    for (;;) {
      const { rows } = await client.query<Row & pg.QueryResultRow>({ text: `FETCH ${pageLength} FROM copied`, types })
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    await client.query('CLOSE copied')
  }
}

/** A table whose rows are not the same in both databases: nothing is kept of the copy. */
export class CopyDiffers extends Error {}

/** Compares all rows of a table, value by value; returns how many there are. Throws {@link CopyDiffers}. */
async function compare(raw: Database.Database, client: Client, table: Copied): Promise<number> {
  let count = 0
  const ofServer = pagesOfServer(client, table)
  for (const page of pagesOfFile(raw, table)) {
    const next = await ofServer.next()
    if (JSON.stringify(page) !== JSON.stringify(next.done ? [] : next.value)) throw new CopyDiffers(`Rows of ${table.name} differ in the copy.`)
    count += page.length
  }
  if ((await ofServer.next()).done !== true) throw new CopyDiffers(`The copy of ${table.name} has too many rows.`)
  return count
}

/** Whether nobody has used a database on PostgreSQL. */
async function isUnused(client: Client): Promise<boolean> {
  const { rows } = await client.query('SELECT 1 FROM users UNION ALL SELECT 1 FROM organizations LIMIT 1')
  return rows.length === 0
}

/** How many rows each table has. */
export type CopiedRows = ReadonlyMap<string, number>

/**
 * Copies all rows of a database file into a migrated database on PostgreSQL, in one transaction, and compares both; undefined where
 * that holds data already. Search is to be indexed afterwards. Throws {@link CopyDiffers}.
 */
export async function copyToServer(path: string, url: string): Promise<CopiedRows | undefined> {
  const raw = new Database(path, { readonly: true })
  try {
    return await withServer(url, async (client) => ((await isUnused(client)) ? fillServer(raw, client) : undefined))
  } finally {
    raw.close()
  }
}

/** As {@link copyToServer}, the other way: into a new, migrated file. */
export async function copyToFile(url: string, path: string): Promise<CopiedRows> {
  const raw = new Database(path)
  try {
    return await withServer(url, (client) => fillFile(client, raw))
  } finally {
    raw.close()
  }
}

async function fillServer(raw: Database.Database, client: Client): Promise<CopiedRows> {
  const tables = listTables(raw)
  const counts = new Map<string, number>()
  for (const { name } of tables) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  for (const { name } of tables.toReversed()) await client.query(`DELETE FROM ${name}`)
  for (const table of tables) {
    const { name, columns } = table
    const list = columns.join(', ')
    const insert = `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, $1)`
    for (const page of pagesOfFile(raw, table)) await client.query({ name: `copy ${name}`, text: insert, values: [JSON.stringify(page)] })
    counts.set(name, await compare(raw, client, table))
  }
  for (const { name } of tables) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
  const sequences = raw.prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').all()
  for (const { name, seq } of sequences) {
    const column = name === 'change_log' ? 'seq' : 'id'
    if (seq > 0) await client.query(`SELECT setval(pg_get_serial_sequence('${name}', '${column}'), $1)`, [seq])
  }
  await client.query(
    `SELECT setval(pg_get_serial_sequence('picture_hashes', 'id'), greatest(1, (SELECT max(id) FROM picture_hashes)))`,
  )
  // Plans follow statistics, and there are none yet.
  await client.query('ANALYZE')
  return counts
}

async function fillFile(client: Client, raw: Database.Database): Promise<CopiedRows> {
  registerRowSum(raw)
  raw.pragma('foreign_keys = OFF')
  raw.exec('BEGIN IMMEDIATE')
  const tables = listTables(raw)
  const counts = new Map<string, number>()
  const triggers = raw
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) raw.exec(`DROP TRIGGER main.${name}`)
  for (const { name } of tables.toReversed()) raw.exec(`DELETE FROM ${name}`)
  for (const table of tables) {
    const { name, columns } = table
    const insert = raw.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
    for await (const page of pagesOfServer(client, table))
      for (const row of page) insert.run(...columns.map((column) => row[column]))
    counts.set(name, await compare(raw, client, table))
  }
  for (const { sql } of triggers) raw.exec(sql)
  await takeSequences(client, raw)
  sumAllRows(raw)
  raw.exec('COMMIT')
  const [dangling] = raw.prepare<[], string>('PRAGMA foreign_key_check').pluck().all()
  if (dangling !== undefined) throw new CopyDiffers(`A row of ${dangling} refers to one that is not there.`)
  return counts
}

async function takeSequences(client: Client, raw: Database.Database): Promise<void> {
  const { rows } = await client.query<{ name: string; last: number | null }>({
    text: `SELECT replace(replace(sequencename, '_seq_seq', ''), '_id_seq', '') AS name, last_value AS last FROM pg_sequences WHERE schemaname = 'public'`,
    types,
  })
  const set = raw.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
  const add = raw.prepare('INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)')
  const isCounted = raw.prepare<[string], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'",
  )
  for (const { name, last } of rows) {
    if (last === null || !isCounted.get(name)) continue
    add.run(name, last, name)
    set.run(last, name)
  }
}

/** Runs work with a separate client, in one transaction that sees one moment. */
async function withServer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionTo(url), application_name: 'outlay migrate-database' })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } finally {
    await client.end()
  }
}
