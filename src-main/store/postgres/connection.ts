import { createHash } from 'node:crypto'
import { type CompiledQuery, type Kysely, type QueryResult, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Schema } from '#db/schema'
import type { Cell } from '#shared/contract/sync'
import { inStatement } from '#main/spans'
import { bind, inOrder } from '../core/connection'
import { type Cells, type NewRows, type PlainRow, type RowChange, type SavepointText, type Writable, rowsOfPlaces } from '../core/queryable'
import { type ListStatement, Placeholder, type Statement, type Value } from '../core/statement'
import { createKysely } from './compiler'
import { readsSteady } from '../core/steady-tables'

/** A pool, or the one client of a transaction. */
export type Client = Pick<pg.ClientBase, 'query'>

/** Runs a query on a client. */
export type RunQuery = <T>(query: (client: Client) => Promise<T>) => Promise<T>

interface Compiled {
  readonly text: string
  readonly parameters: readonly unknown[]
  /** Whether the statement reads only steady tables. */
  readonly isSteady: boolean
}

/** The numbers of ids for which a query by ids is prepared. */
const listLengths = [1, 8, 32, 128]
const longestList = 128

const { builtins } = pg.types
const truth = Number(builtins.BOOL)
const numbers: ReadonlySet<number> = new Set([
  builtins.INT2,
  builtins.INT4,
  builtins.INT8,
  builtins.NUMERIC,
  builtins.FLOAT4,
  builtins.FLOAT8,
])

/** Values as SQLite has them: counts and sums as numbers, booleans as 1 and 0, text unchanged. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number) =>
    numbers.has(type) ? toNumber : type === truth ? (text: string) => (text === 't' ? 1 : 0) : (text: string) => text,
}

function toNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) throw new RangeError(`${text} is larger than a number can be.`)
  return number
}

const nobody = createKysely(() => Promise.reject(new Error('This only compiles.')))
const statements = new WeakMap<object, Compiled>()
const lists = new WeakMap<object, Map<number, Compiled>>()
const texts = new LRUCache<string, string>({ max: 2000 })
const names = new LRUCache<string, string>({ max: 2000 })

/** The name of a text, equal in all processes: PostgreSQL then parses it once per connection. */
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 24)
  names.set(text, name)
  return name
}

/** Numbers the `?` parameters of a text. The texts have no `?` in literals. */
function numbered(text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  let place = 0
  const result = text.replace(/\+?\?/g, () => `$${(place += 1)}`)
  texts.set(text, result)
  return result
}

/** Statements on a PostgreSQL client. */
export class PostgresConnection implements Writable {
  readonly dialect = 'postgres'
  readonly db: Kysely<Schema>
  readonly #run: RunQuery
  /** Whether a transaction is open; its owner sets this. */
  isOpen = false
  /** Statements that were sent without waiting. A failed one stays here until someone waits for it. */
  readonly #posted = new Set<Promise<unknown>>()
  /** The last failure that is not just PostgreSQL refusing statements after an earlier failure. */
  #failure: Error | undefined
  /** `run`: picks the client for a query, and handles a broken connection. */
  constructor(run: RunQuery) {
    this.#run = run
    this.db = createKysely((query) => this.#execute(query))
  }

  async all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    const { text, parameters: places } = compile(statement)
    // The statement's type comes from the migrated schema; here rows become typed.
    return (await this.#named(text, bind(places, parameters))).rows as R[]
  }
  async allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): Promise<R[]> {
    const parts: Array<Promise<pg.QueryResult<object>>> = []
    for (let start = 0; start < ids.length; start += longestList) {
      const part = ids.slice(start, start + longestList)
      const length = listLengths.find((one) => one >= part.length) ?? longestList
      // Unused places repeat an id of the list.
      const places = Array.from({ length }, (_, index) => part[Math.min(index, part.length - 1)])
      const { text, parameters } = compileList(statement, length)
      let next = 0
      parts.push(
        this.#named(
          text,
          parameters.map((one) => (one instanceof Placeholder ? places[next++] : one)),
        ),
      )
    }
    return (await Promise.all(parts)).flatMap(({ rows }) => rows as R[])
  }
  async first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined> {
    return (await this.all(statement, parameters))[0]
  }
  async run<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<number> {
    const { text, parameters: places } = compile(statement)
    this.noteWrite(text)
    return (await this.#named(text, bind(places, parameters))).rowCount ?? 0
  }
  async cells({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Cells> {
    const asked = { text, values: parameters.map(toValue), rowMode: 'array', types } as const
    const found = await this.#ask(text, (client) => client.query<Cell[]>(asked))
    const named = found.fields.map(({ name }) => name)
    const columns = [...new Set(named)]
    const last = columns.map((name) => named.lastIndexOf(name))
    return { columns, rows: found.rows.map((row) => last.map((index) => row[index] ?? null)) }
  }
  async rows({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<PlainRow[]> {
    return (await this.#ask(text, (client) => client.query<PlainRow>({ text, values: parameters.map(toValue), types }))).rows
  }
  async write(text: string, parameters: readonly unknown[]): Promise<PlainRow[]> {
    this.noteWrite(text)
    return (await this.#named<PlainRow>(numbered(text), parameters)).rows
  }
  post(text: string, parameters: readonly unknown[]): void {
    this.leave(this.write(text, parameters))
  }
  async insert({ table, columns, rows }: NewRows): Promise<PlainRow[]> {
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rowsOfPlaces(columns.length, rows.length)} RETURNING *`
    const stored = await this.write(
      text,
      rows.flatMap((row) => columns.map((column) => row[column])),
    )
    return inOrder(
      rows.map(({ uid }) => uid),
      stored,
    )
  }
  async update({ table, row: { id }, set }: RowChange, returning: '*' | 'id' = '*'): Promise<PlainRow> {
    const sets = [...set.map(([column]) => `${column} = ?`), 'version = version + 1']
    const [row] = await this.write(`UPDATE ${table} SET ${sets.join(', ')} WHERE id = ? RETURNING ${returning}`, [
      ...set.map(([, value]) => value),
      id,
    ])
    if (!row) throw new Error(`A row of ${table} is not there.`)
    return row
  }
  log(columns: readonly string[], rows: ReadonlyArray<readonly unknown[]>): Promise<number> {
    const text = `INSERT INTO change_log (${columns.join(', ')}) VALUES ${rowsOfPlaces(columns.length, rows.length)} RETURNING seq`
    const last = this.write(text, rows.flat()).then((stored) => Math.max(...stored.map(({ seq }) => Number(seq))))
    this.leave(last)
    return last
  }
  /** A sequence does not roll back with its transaction: ids may be skipped, but are never given twice. */
  async takeIds(table: string, count: number): Promise<number> {
    const sequence = `pg_get_serial_sequence('${table}', 'id')`
    const [taken] = await this.write(`SELECT setval(${sequence}, nextval(${sequence}) + ? - 1) AS last`, [count])
    return Number(taken?.last)
  }
  /** It fails only if an earlier statement failed, so nobody waits for it. The end of a savepoint waits for what was posted inside. */
  async savepoint(text: SavepointText): Promise<void> {
    if (text.startsWith('RELEASE')) await this.settle()
    if (text.startsWith('ROLLBACK')) this.#posted.clear()
    this.leave(this.#ask(text, (client) => client.query(text)))
  }
  /** Waits for the responses to all posted statements. Throws the first failure. */
  async settle(): Promise<void> {
    for (const answer of this.#posted) {
      this.#posted.delete(answer)
      await answer
    }
  }
  assertOpen(): void {
    if (!this.isOpen) throw this.#failure ?? new Error('The transaction has ended.')
  }
  /** Notes that a transaction has begun. */
  protected noteBegin(): void {
    this.isOpen = true
    this.#posted.clear()
    this.#failure = undefined
  }
  /** Called with each text that may write. */
  protected noteWrite(_text: string): void {}

  /** Does not wait for a response: the next call that waits throws its failure. */
  protected leave(answer: Promise<unknown>): void {
    this.#posted.add(answer)
    answer.then(
      () => this.#posted.delete(answer),
      () => undefined,
    )
  }
  async #ask<T>(text: string, query: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await inStatement(text, () => this.#run(query))
    } catch (error) {
      if (this.#failure && isRefused(error)) throw this.#failure
      if (error instanceof Error) this.#failure = error
      throw error
    }
  }
  #named<R extends object>(text: string, values: readonly unknown[]): Promise<pg.QueryResult<R>> {
    const asked = { name: nameOf(text), text, values: values.map(toValue), types }
    return this.#ask(text, (client) => client.query<R & pg.QueryResultRow>(asked))
  }
  async #execute({ sql: text, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<unknown>> {
    this.noteWrite(text)
    const { rows, rowCount } = await this.#ask(text, (client) => client.query({ text, values: parameters.map(toValue), types }))
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
  }
}

/** Whether PostgreSQL refused a statement only because an earlier one of the transaction failed. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02'
}

const largest = 9_223_372_036_854_775_807n

/** Binds as SQLite does: NaN becomes null, and a number beyond all integers is beyond all rows. */
function toValue(value: unknown): unknown {
  if (typeof value !== 'number') return value
  if (Number.isNaN(value)) return null
  if (Math.abs(value) < Number(largest)) return value
  return String(value < 0 ? -largest : largest)
}

/** Whether only writes to steady tables can change a statement's result. */
export function isSteady<P extends object, R>(statement: Statement<P, R>): boolean {
  return compile(statement).isSteady
}
/** Like {@link isSteady}, for a statement by ids. */
export function isSteadyList<I extends Value, R>(statement: ListStatement<I, R>): boolean {
  return compileList(statement, 1).isSteady
}

function compile<P extends object, R>(statement: Statement<P, R>): Compiled {
  const known = statements.get(statement)
  if (known) return known
  const { sql: text, parameters } = statement.build(nobody).compile()
  const compiled = { text, parameters, isSteady: readsSteady(text) }
  statements.set(statement, compiled)
  return compiled
}

function compileList<I extends Value, R>({ buildList }: ListStatement<I, R>, length: number): Compiled {
  const known = lists.get(buildList) ?? new Map<number, Compiled>()
  lists.set(buildList, known)
  const found = known.get(length)
  if (found) return found
  const ids = Array.from({ length }, () => sql<I>`${new Placeholder('id')}`)
  const { sql: text, parameters } = buildList(nobody, ids).compile()
  const compiled = { text, parameters, isSteady: readsSteady(text) }
  known.set(length, compiled)
  return compiled
}
