import type BetterSqlite3 from 'better-sqlite3'
import { type CompiledQuery, Kysely, SqliteDialect, SqliteQueryCompiler, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Schema } from '#db/schema'
import type { Cell } from '#shared/contract/sync'
import { amountText } from './amount-text'
import { registerRowSum } from './row-sums'
import { undoTriggers } from '../sync/undo-triggers'
import { type ListStatement, Placeholder, type Statement, type Value } from './statement'

/** Rows as arrays of values, in the order of their columns. */
export interface Cells {
  readonly columns: string[]
  readonly rows: Cell[][]
}

interface Prepared {
  readonly run: BetterSqlite3.Statement<unknown[]>
  readonly parameters: readonly unknown[]
}

/** How many ids a query by ids has places for. */
const listLengths = [1, 8, 32, 128]
const longestList = 128

/**
 * Writes a value's place as `+?`. SQLite plans a comparison with a bare `?` in a query with an order or a limit by the bound value,
 * and therefore prepares the statement again at every run.
 */
class StableCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

class Dialect extends SqliteDialect {
  override createQueryCompiler(): StableCompiler {
    return new StableCompiler()
  }
}

/** One SQLite connection with its prepared statements, and Kysely on the same handle for queries built at run time. */
export class Connection {
  readonly db: Kysely<Schema>
  readonly #prepared = new Map<object, Prepared>()
  readonly #lists = new Map<object, Map<number, BetterSqlite3.Statement<unknown[]>>>()
  /** Bounded, since lists of different lengths are different texts. */
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
    const database = { prepare: (text: string) => this.prepare(text), close: () => raw.close() }
    this.db = new Kysely<Schema>({ dialect: new Dialect({ database }) })
  }

  /**
   * Lets all reads of this turn of the event loop see the same moment: an answer is made of several, and a read outside a
   * transaction costs more in locks than in reading. Returns the {@link dataVersion} of that moment.
   */
  hold(): number {
    if (!this.raw.inTransaction) {
      this.prepare('BEGIN').run()
      this.#heldVersion = this.dataVersion()
      setImmediate(() => this.release())
    }
    return this.#heldVersion
  }

  /** Ends what {@link hold} began: the next read sees what has been committed since. */
  release(): void {
    if (this.raw.open && this.raw.inTransaction) this.prepare('COMMIT').run()
  }

  /** Notes how to undo what is written from now on, as part of an operation of a replica; null: it is not noted. */
  capture(operation: number | null): void {
    if (operation === null && !this.#isCapturing) return
    // A transaction that made the triggers and was rolled back has taken them with it.
    const isReady = this.#isCapturing && this.prepare("SELECT 1 FROM temp.sqlite_master WHERE name = 'captured'").get()
    if (!isReady && operation !== null) this.raw.exec(undoTriggers(this.raw))
    this.#isCapturing = Boolean(isReady) || operation !== null
    if (this.#isCapturing) this.prepare('UPDATE temp.captured SET operation = ?').run(operation)
  }

  /** A number that differs once another connection, also of another process, has committed. */
  dataVersion(): number {
    this.#dataVersion ??= this.raw.prepare<unknown[]>('PRAGMA data_version').pluck()
    return Number(this.#dataVersion.get())
  }

  /** The rows of a compiled statement. */
  all<P extends object, R>(statement: Statement<P, R>, parameters: P): R[] {
    const { run, parameters: places } = this.#prepare(statement)
    // The statement's type comes from the schema that the migrations made: this is the edge where rows become typed.
    return run.all(...bind(places, parameters)) as R[]
  }

  /** The rows that belong to any of several ids, many ids a query. */
  allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): R[] {
    const rows: R[] = []
    for (let start = 0; start < ids.length; start += longestList) {
      const part = ids.slice(start, start + longestList)
      const length = listLengths.find((one) => one >= part.length) ?? longestList
      // A place too many is filled with an id that is there already.
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

  /** The first row of a compiled statement, if any. */
  first<P extends object, R>(statement: Statement<P, R>, parameters: P): R | undefined {
    const { run, parameters: places } = this.#prepare(statement)
    return run.get(...bind(places, parameters)) as R | undefined
  }

  /** Runs a compiled statement that returns no rows; returns how many rows it changed. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): number {
    const { run, parameters: places } = this.#prepare(statement)
    return run.run(...bind(places, parameters)).changes
  }

  /** A prepared statement for an SQL text, kept for the next call: preparing costs more than most runs do. */
  prepare(text: string): BetterSqlite3.Statement<unknown[]> {
    let prepared = this.#texts.get(text)
    if (!prepared) {
      prepared = this.raw.prepare<unknown[]>(text)
      this.#texts.set(text, prepared)
    }
    return prepared
  }

  /** The rows of a query as arrays of values: of two columns of the same name the first has its place, and the last its values. */
  cells({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Cells {
    // A statement returns either objects or arrays, so this text has two.
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

  #prepare<P extends object, R>(statement: Statement<P, R>): Prepared {
    let prepared = this.#prepared.get(statement)
    if (!prepared) {
      const compiled = statement.build(this.db).compile()
      prepared = { run: this.raw.prepare<unknown[]>(compiled.sql), parameters: compiled.parameters }
      this.#prepared.set(statement, prepared)
    }
    return prepared
  }
}

function bind(places: readonly unknown[], parameters: object): unknown[] {
  const values = parameters as Readonly<Record<string, Value>>
  return places.map((place) => (place instanceof Placeholder ? values[place.name] : place))
}
