import { crc32 } from 'node:zlib'
import type BetterSqlite3 from 'better-sqlite3'
import { sharedTables } from '#main/store/sync/undo-triggers'

// In tests, threads import this from source, where only exact aliases and packages resolve.

/** The tables whose rows have sums: people's entries, what names them, what replicas get of them, and exported files. */
const summedTables = [
  ...sharedTables,
  ...(['blobs', 'captures', 'invitations', 'webhooks', 'change_log', 'handovers', 'handover_rows'] as const),
]

/** A sum covers 16 ids: small enough to locate damage, large enough to cost one row in 16. */
const blockBits = 4

/** Columns without a sum: they are compared with the rows from which they are derived, and repaired. */
const derived = /_(count|scaled)$/

interface Column {
  readonly name: string
  readonly type: string
  readonly pk: number
}

interface Summed {
  readonly table: string
  readonly columns: readonly string[]
  /** The column whose value is the row's place in the blocks; none: all rows are in one. */
  readonly key: string | undefined
  /** The number of the block that a row belongs to, as SQL. */
  readonly blockOf: (row: string) => string
  /** The sum of a row, as SQL. */
  readonly sumOf: (row: string) => string
}

/** Registers the SQL function that sums a row, on every connection that writes or verifies. */
export function registerRowSum(raw: BetterSqlite3.Database): void {
  raw.function('row_sum', { deterministic: true, directOnly: true, varargs: true }, (text: unknown, ...reals: unknown[]) =>
    crc32(reals.length === 0 ? String(text) : `${String(text)}\u001F${reals.join()}`),
  )
}

function describe(raw: BetterSqlite3.Database, table: string): Summed {
  const all = raw.prepare<[], Column>(`SELECT name, type, pk FROM pragma_table_info('${table}')`).all()
  const columns = all.filter(({ name }) => !derived.test(name))
  const first = columns.find(({ pk }) => pk === 1)
  const key = first?.type === 'INTEGER' ? first.name : undefined
  // SQLite's text of a real number loses digits; JavaScript's does not.
  const reals = columns.filter(({ type }) => type === 'REAL')
  const texts = columns.filter(({ type }) => type !== 'REAL')
  return {
    table,
    columns: columns.map(({ name }) => name),
    key,
    blockOf: (row) => (key === undefined ? '0' : `${row}.${key} >> ${blockBits}`),
    sumOf: (row) => {
      const cells = texts.map(({ name }) => `ifnull(${row}.${name}, char(0))`)
      return `row_sum(${[`concat_ws(char(31), ${cells.join(', ')})`, ...reals.map(({ name }) => `${row}.${name}`)].join(', ')})`
    },
  }
}

/** A database of an earlier version lacks some of the tables. */
function describeAll(raw: BetterSqlite3.Database): Summed[] {
  return summedTables.map((table) => describe(raw, table)).filter(({ columns }) => columns.length > 0)
}

/** Makes this connection update sums with its writes, in the same transaction. */
export function keepRowSums(raw: BetterSqlite3.Database): void {
  raw.exec(describeAll(raw).flatMap(triggersOf).join(';\n'))
}

function triggersOf({ table, columns, key, blockOf, sumOf }: Summed): string[] {
  const add = (row: string, sum: string) =>
    `INSERT INTO row_sums (table_name, block, sum) VALUES ('${table}', ${blockOf(row)}, ${sum})
     ON CONFLICT (table_name, block) DO UPDATE SET sum = sum + excluded.sum`
  const trigger = (name: string, event: string, body: string) =>
    `CREATE TEMP TRIGGER sum_${table}_${name} AFTER ${event} BEGIN ${body}; END`
  const sameBlock = `(${blockOf('OLD')}) = (${blockOf('NEW')})`
  const update = `UPDATE OF ${columns.join(', ')} ON main.${table}`
  const changed = add('NEW', `${sumOf('NEW')} - ${sumOf('OLD')}`)
  const moved = `${add('OLD', `-${sumOf('OLD')}`)}; ${add('NEW', sumOf('NEW'))}`
  const all = [
    trigger('insert', `INSERT ON main.${table}`, add('NEW', sumOf('NEW'))),
    trigger('delete', `DELETE ON main.${table}`, add('OLD', `-${sumOf('OLD')}`)),
  ]
  if (key === undefined) return [...all, trigger('update', update, changed)]
  return [
    ...all,
    trigger('update', `${update} WHEN ${sameBlock}`, changed),
    // Of the key alone: SQLite compiles every trigger of a column into each statement that sets it.
    trigger('move', `UPDATE OF ${key} ON main.${table} WHEN NOT ${sameBlock}`, moved),
  ]
}

const schemaSum = `SELECT coalesce(sum(row_sum(concat_ws(char(31), type, name, tbl_name, sql))), 0) AS sum FROM main.sqlite_schema
  WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`

/** Recomputes all sums in a migration's transaction, which may have rewritten rows. */
export function sumAllRows(raw: BetterSqlite3.Database): void {
  raw.exec('DELETE FROM row_sums')
  for (const { table, blockOf, sumOf } of describeAll(raw))
    raw.exec(
      `INSERT INTO row_sums (table_name, block, sum) SELECT '${table}', ${blockOf(table)}, sum(${sumOf(table)}) FROM ${table} GROUP BY 2`,
    )
  raw.exec(`INSERT INTO row_sums (table_name, block, sum) SELECT 'sqlite_schema', 0, sum FROM (${schemaSum})`)
}

/** All rows that do not match their sums; see {@link findUnmatchedRows}. */
export function listUnmatchedRows(raw: BetterSqlite3.Database): string[] {
  return [...findUnmatchedRows(raw)].filter((found) => found !== undefined)
}

/** The number of blocks that one statement verifies, so that writers wait only briefly. */
const blocksAStep = 512

/**
 * Verifies every row against its sum, step by step, and yields what does not match. Yields nothing if the schema has no sums. Throws SQLite's error
 * for pages that cannot be read.
 */
export function* findUnmatchedRows(raw: BetterSqlite3.Database): Generator<string | undefined> {
  if (!raw.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'row_sums'").get()) return
  for (const summed of describeAll(raw)) yield* findUnmatched(raw, summed)
  const schema = raw.prepare(
    `SELECT 1 FROM (${schemaSum}) AS found WHERE sum IS NOT (SELECT sum FROM row_sums WHERE table_name = 'sqlite_schema')`,
  )
  if (schema.get()) yield 'The definitions of the tables are not as Outlay wrote them.'
}

function* findUnmatched(raw: BetterSqlite3.Database, { table, key, blockOf, sumOf }: Summed): Generator<string | undefined> {
  const block = blockOf(table)
  const isByBlock = key !== undefined
  const column = `${table}.${key}`
  const range = isByBlock ? `WHERE ${column} >= @from << ${blockBits} AND ${column} < @to << ${blockBits}` : ''
  // Every block is in one of the two tables, most are in both; a block without rows keeps a sum of 0.
  const step = raw.prepare<[{ from: number; to: number }], { block: number }>(
    `SELECT block FROM (
       SELECT ${block} AS block, sum(${sumOf(table)}) AS sum FROM ${table} ${range} GROUP BY 1
       UNION ALL SELECT block, -sum FROM row_sums WHERE table_name = '${table}' AND block >= @from AND block < @to)
     GROUP BY block HAVING sum(sum) <> 0 ORDER BY block`,
  )
  const bounds = raw.prepare<[], { first: number | null; last: number | null }>(
    `SELECT min(first) AS first, max(last) AS last FROM (
       SELECT min(block) AS first, max(block) AS last FROM row_sums WHERE table_name = '${table}'
       UNION ALL SELECT ${isByBlock ? `min(${column}) >> ${blockBits}, max(${column}) >> ${blockBits}` : 'min(0), max(0)'} FROM ${table})`,
  )
  const { first, last } = bounds.get() ?? { first: null, last: null }
  for (let from = first ?? 0; first !== null && last !== null && from <= last; from += blocksAStep) {
    for (const found of step.all({ from, to: from + blocksAStep })) yield word(table, { ...found, isByBlock })
    yield undefined
  }
}

function word(table: string, { block, isByBlock }: { block: number; isByBlock: boolean }): string {
  const size = 1 << blockBits
  const rows = isByBlock ? ` with ids ${block * size} to ${block * size + size - 1}` : ''
  return `A row of ${table}${rows} is not as Outlay wrote it. Restore a snapshot or a backup.`
}
