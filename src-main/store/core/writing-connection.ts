import { Connection } from './connection'
import { KeptRows } from './kept-rows'
import type { PlainRow, RowChange } from './queryable'
import type { ListStatement, Statement, Value } from './statement'
import { mayWriteSteady } from './steady-tables'

/** The connection that writes. It reads steady tables from kept rows until its transaction writes to one. */
export class WritingConnection extends Connection {
  readonly #kept = new KeptRows()
  /** The version of the steady tables; undefined outside a transaction and after a possible write to one. */
  #version: number | undefined
  #lastVersion = 0
  #seen: number | undefined
  /** How often this connection may have written. */
  #writes = 0
  /** The value of `#writes` when a row was read: while it is the same, the row is as it is stored. */
  readonly #readAt = new WeakMap<object, number>()

  /** Begins a transaction that writes. */
  begin(): void {
    this.prepare('BEGIN IMMEDIATE').run()
    const seen = this.dataVersion()
    if (seen !== this.#seen) this.#lastVersion += 1
    this.#seen = seen
    this.#version = this.#lastVersion
  }
  override all<P extends object, R>(statement: Statement<P, R>, parameters: P): R[] {
    return this.#keptOf(statement, parameters) ?? this.#noteRead(super.all(statement, parameters))
  }
  override allOf<I extends Value, R>(statement: ListStatement<I, R>, ids: readonly I[]): R[] {
    const { keptBy } = statement
    if (this.#version === undefined || keptBy === undefined || !this.isSteadyList(statement)) return super.allOf(statement, ids)
    const load = (missing: readonly I[]) => Map.groupBy<unknown, R>(super.allOf(statement, missing), (row) => row[keptBy])
    return this.#kept.rowsOf(this.#version, { statement, ids, load })
  }
  override first<P extends object, R>(statement: Statement<P, R>, parameters: P): R | undefined {
    const kept = this.#keptOf(statement, parameters)
    if (kept) return kept[0]
    const row = super.first(statement, parameters)
    if (row !== undefined) this.#noteRead([row])
    return row
  }
  /** Does not read a changed row that this transaction has just read: its values are known. */
  override update(change: RowChange): PlainRow {
    const { row, set } = change
    if (this.#readAt.get(row) !== this.#writes) return super.update(change)
    this.change(change)
    return { ...row, ...Object.fromEntries(set), version: row.version + 1 }
  }
  protected override noteWrite(text: string): void {
    if (/^(?:select|savepoint|release)\b/i.test(text)) return
    this.#writes += 1
    const isWrite = mayWriteSteady(text)
    if (isWrite) this.#seen = undefined
    if (isWrite || /^(?:commit|rollback)$/i.test(text)) this.#version = undefined
  }

  #keptOf<P extends object, R>(statement: Statement<P, R>, parameters: P): R[] | undefined {
    if (this.#version === undefined || !statement.isKept || !this.isSteady(statement)) return undefined
    const load = () => super.all(statement, parameters)
    return this.#kept.rows(this.#version, { statement, key: JSON.stringify(parameters), load })
  }
  #noteRead<R>(rows: R[]): R[] {
    for (const row of rows) if (typeof row === 'object' && row !== null) this.#readAt.set(row, this.#writes)
    return rows
  }
}
