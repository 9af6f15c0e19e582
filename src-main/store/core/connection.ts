import type BetterSqlite3 from 'better-sqlite3'
import { type CompiledQuery, Kysely, type RawNode, SqliteDialect, SqliteQueryCompiler, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Schema } from '#db/schema'
import type { Cell } from '#shared/contract/sync'
import { areSpansCollected, beginSpan, spanOf } from '#main/spans'
import { undoTriggers } from '../sync/undo-triggers'
import { amountText } from './amount-text'
import { pickDialect } from './dialect'
import {
  type Cells,
  type NewRows,
  type PlainRow,
  type ReplicaWrites,
  type RowChange,
  type SavepointText,
  type Writable,
  rowsOfPlaces,
} from './queryable'
import { registerRowSum } from './row-sums'
import { readsSteady } from './steady-tables'
import { type ListStatement, Placeholder, type Statement, type Value } from './statement'

/** Runs every statement that a connection prepares from now on in a span with its text, without values. */
function traceStatements(raw: BetterSqlite3.Database): void {
  const prepare = raw.prepare.bind(raw)
  const traced = (text: string) => {
    const statement = prepare(text)
    for (const name of ['all', 'get', 'run'] as const) {
      const method: (...values: unknown[]) => unknown = statement[name].bind(statement)
      const inSpan = (...values: unknown[]) => {
        const span = beginSpan(...spanOf(text))
        try {
          return method(...values)
        } finally {
          span?.end()
        }
      }
      Object.assign(statement, { [name]: inSpan })
    }
    return statement
  }
  Object.assign(raw, { prepare: traced })
}

interface Prepared {
  readonly run: BetterSqlite3.Statement<unknown[]>
  readonly parameters: readonly unknown[]
  readonly isSteady: boolean
}

/** The numbers of ids for which a query by ids is prepared. */
const listLengths = [1, 8, 32, 128]
const longestList = 128

/**
 * Writes a parameter as `+?`. With a bare `?` in a query with an order or a limit, SQLite plans by the bound value and prepares the statement again
 * at every run.
 */
class StableCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(pickDialect(node, 'sqlite'))
  }
}

class Dialect extends SqliteDialect {
  override createQueryCompiler(): StableCompiler {
    return new StableCompiler()
  }
}

/** One SQLite connection with its prepared statements, and Kysely on the same handle for queries built at run time. */
export class Connection implements Writable, ReplicaWrites {
  readonly dialect = 'sqlite'
  readonly db: Kysely<Schema>
  readonly #prepared = new Map<object, Prepared>()
  readonly #lists = new Map<object, Map<number, BetterSqlite3.Statement<unknown[]>>>()
  /** Bounded, because lists of different lengths are different texts. */
  readonly #texts = new LRUCache<string, BetterSqlite3.Statement<unknown[]>>({ max: 1000 })
  readonly #rawTexts = new LRUCache<string, BetterSqlite3.Statement<unknown[], Cell[]>>({ max: 1000 })
  #dataVersion: BetterSqlite3.Statement<unknown[]> | undefined
  #heldVersion = 0
  #isCapturing = false

  constructor(readonly raw: BetterSqlite3.Database) {
    raw.function('amount_text', { deterministic: true, directOnly: true }, (amount_minor, currency) =>
      amountText(Number(amount_minor), String(currency)),
    )
    registerRowSum(raw)
    if (areSpansCollected()) traceStatements(raw)
    const database = { prepare: (text: string) => this.prepare(text), close: () => raw.close() }
    this.db = new Kysely<Schema>({ dialect: new Dialect({ database }) })
  }

  /**
   * Lets all reads of this turn of the event loop see the same moment. A response needs several reads, and a read outside a transaction spends more
   * on locks than on reading. Returns the {@link dataVersion} of that moment.
   */
  hold(): number {
    if (!this.raw.inTransaction) {
      this.prepare('BEGIN').run()
      this.#heldVersion = this.dataVersion()
      setImmediate(() => this.release())
    }
    return this.#heldVersion
  }

  /** Ends {@link hold}: the next read sees what has been committed since. */
  release(): void {
    if (this.raw.open && this.raw.inTransaction) this.prepare('COMMIT').run()
  }

  capture(operation: number | null): void {
    if (operation === null && !this.#isCapturing) return
    // A transaction that made the triggers and was rolled back has removed them too.
    const isReady = this.#isCapturing && this.prepare("SELECT 1 FROM temp.sqlite_master WHERE name = 'captured'").get()
    if (!isReady && operation !== null) this.raw.exec(undoTriggers(this.raw))
    this.#isCapturing = Boolean(isReady) || operation !== null
    if (this.#isCapturing) this.prepare('UPDATE temp.captured SET operation = ?').run(operation)
  }

  /** A number that changes when another connection, in this or another process, commits. */
  dataVersion(): number {
    this.#dataVersion ??= this.raw.prepare<unknown[]>('PRAGMA data_version').pluck()
    return Number(this.#dataVersion.get())
  }

  get isOpen(): boolean {
    return this.raw.inTransaction
  }

  assertOpen(): void {
    if (!this.isOpen) throw new Error('The transaction has ended.')
  }

  all<P extends object, R>(statement: Statement<P, R>, parameters: P): R[] {
    const { run, parameters: places } = this.#prepare(statement)
    // The statement's type comes from the migrated schema; here rows become typed.
    return run.all(...bind(places, parameters)) as R[]
  }

  allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): R[] {
    const rows: R[] = []
    for (let start = 0; start < ids.length; start += longestList) {
      const part = ids.slice(start, start + longestList)
      const length = listLengths.find((one) => one >= part.length) ?? longestList
      // Unused places repeat an id of the list.
      const places = Array.from({ length }, (_, index) => part[Math.min(index, part.length - 1)])
      rows.push(...(this.#prepareList(statement, length).all(...places) as R[]))
    }
    return rows
  }

  #prepareList<I extends Value, R>({ buildList }: ListStatement<I, R>, length: number): BetterSqlite3.Statement<unknown[]> {
    const prepared = this.#lists.get(buildList) ?? new Map<number, BetterSqlite3.Statement<unknown[]>>()
    this.#lists.set(buildList, prepared)
    const known = prepared.get(length)
    if (known) return known
    const ids = Array.from({ length }, () => sql<I>`${new Placeholder('id')}`)
    const made = this.raw.prepare<unknown[]>(buildList(this.db, ids).compile().sql)
    prepared.set(length, made)
    return made
  }

  first<P extends object, R>(statement: Statement<P, R>, parameters: P): R | undefined {
    const { run, parameters: places } = this.#prepare(statement)
    return run.get(...bind(places, parameters)) as R | undefined
  }

  run<P extends object, R>(statement: Statement<P, R>, parameters: P): number {
    const { run, parameters: places } = this.#prepare(statement)
    this.noteWrite(run.source)
    return run.run(...bind(places, parameters)).changes
  }

  /** A prepared statement for an SQL text, kept for the next call: preparing costs more than most runs. */
  prepare(text: string): BetterSqlite3.Statement<unknown[]> {
    this.noteWrite(text)
    let prepared = this.#texts.get(text)
    if (!prepared) {
      prepared = this.raw.prepare<unknown[]>(text)
      this.#texts.set(text, prepared)
    }
    return prepared
  }

  rows({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): PlainRow[] {
    // Here rows become typed.
    return this.prepare(text).all(...parameters) as PlainRow[]
  }

  write(text: string, parameters: readonly unknown[]): PlainRow[] {
    const prepared = this.prepare(text)
    if (prepared.reader) return prepared.all(...parameters) as PlainRow[]
    prepared.run(...parameters)
    return []
  }

  post(text: string, parameters: readonly unknown[]): void {
    this.write(text, parameters)
  }

  /** Without RETURNING: it makes SQLite open a savepoint, at which the full-text index flushes its pending words. */
  insert({ table, columns, rows }: NewRows): PlainRow[] {
    const values = rows.flatMap((row) => columns.map((column) => row[column]))
    this.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rowsOfPlaces(columns.length, rows.length)}`).run(...values)
    const uids = rows.map(({ uid }) => uid)
    const found = this.write(`SELECT * FROM ${table} WHERE uid IN (${uids.map(() => '?').join(', ')})`, uids)
    return inOrder(uids, found)
  }

  /** Without RETURNING, as in {@link insert}. */
  update(change: RowChange): PlainRow {
    this.change(change)
    const { table, row } = change
    return this.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(row.id) as PlainRow
  }
  protected change({ table, row: { id }, set }: RowChange): void {
    const sets = [...set.map(([column]) => `${column} = ?`), 'version = version + 1']
    this.prepare(`UPDATE ${table} SET ${sets.join(', ')} WHERE id = ?`).run(...set.map(([, value]) => value), id)
  }

  log(columns: readonly string[], rows: ReadonlyArray<readonly unknown[]>): number {
    const text = `INSERT INTO change_log (${columns.join(', ')}) VALUES ${rowsOfPlaces(columns.length, rows.length)}`
    return Number(this.prepare(text).run(...rows.flat()).lastInsertRowid)
  }

  takeIds(table: string, count: number): number {
    this.prepare('INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)').run(
      table,
      table,
    )
    const [taken] = this.write('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ? RETURNING seq', [count, table])
    return Number(taken?.seq)
  }

  savepoint(text: SavepointText): void {
    this.prepare(text).run()
  }

  exec(texts: readonly string[]): void {
    this.noteWrite('')
    this.raw.exec(texts.join(';\n'))
  }

  cells({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Cells {
    // A statement returns either objects or arrays, so a text needs one statement for each.
    let prepared = this.#rawTexts.get(text)
    if (!prepared) {
      prepared = this.raw.prepare<unknown[], Cell[]>(text).raw()
      this.#rawTexts.set(text, prepared)
    }
    const named = prepared.columns().map(({ name }) => name)
    const columns = [...new Set(named)]
    const rows = prepared.all(...parameters)
    const replacing = named.flatMap((name, index) => (columns[index] === name ? [] : [[columns.indexOf(name), index] as const]))
    if (replacing.length > 0)
      for (const row of rows) {
        for (const [place, index] of replacing) row[place] = row[index] ?? null
        row.length = columns.length
      }
    return { columns, rows }
  }

  /** Called with each text that may write. */
  protected noteWrite(_text: string): void {}
  /** Whether only writes to steady tables can change a statement's result. */
  protected isSteady<P extends object, R>(statement: Statement<P, R>): boolean {
    return this.#prepare(statement).isSteady
  }
  /** Like {@link isSteady}, for a statement by ids. */
  protected isSteadyList<I extends Value, R>(statement: ListStatement<I, R>): boolean {
    return readsSteady(this.#prepareList(statement, 1).source)
  }

  #prepare<P extends object, R>(statement: Statement<P, R>): Prepared {
    let prepared = this.#prepared.get(statement)
    if (!prepared) {
      const compiled = statement.build(this.db).compile()
      prepared = { run: this.raw.prepare<unknown[]>(compiled.sql), parameters: compiled.parameters, isSteady: readsSteady(compiled.sql) }
      this.#prepared.set(statement, prepared)
    }
    return prepared
  }
}

/** Rows in the order of their uids. */
export function inOrder(uids: readonly unknown[], rows: readonly PlainRow[]): PlainRow[] {
  const byUid = new Map(rows.map((row) => [row.uid, row]))
  return uids.map((uid) => {
    const row = byUid.get(uid)
    if (!row) throw new Error('A new record is not there.')
    return row
  })
}

/** The values of a statement's places. */
export function bind(places: readonly unknown[], parameters: object): unknown[] {
  const values = parameters as Readonly<Record<string, Value>>
  return places.map((place) => (place instanceof Placeholder ? values[place.name] : place))
}
