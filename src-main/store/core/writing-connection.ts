import { Connection } from './connection'
import { KeptRows } from './kept-rows'
import type { PlainRow, RowChange } from './queryable'
import { RowsAsRead } from './rows-as-read'
import type { ListStatement, Statement, Value } from './statement'
import { mayWriteSteady } from './steady-tables'

/** The connection that writes. It reads steady tables from kept rows until its transaction writes to one. */
export class WritingConnection extends Connection {
  readonly #kept = new KeptRows()
  /** The version of the steady tables; undefined outside a transaction and after a possible write to one. */
  #version: number | undefined
  #lastVersion = 0
  /** The commits of other connections at that version; undefined after a possible write of our own. */
  #seen: number | undefined
  readonly #asRead = new RowsAsRead()

  /** Begins a transaction that writes. */
  begin(): void {
    this.prepare('BEGIN IMMEDIATE').run()
    const seen = this.dataVersion()
    if (seen !== this.#seen) this.#lastVersion += 1
    this.#seen = seen
    this.#version = this.#lastVersion
  }
  override all<P extends object, R>(statement: Statement<P, R>, parameters: P): R[] {
    return this.#keptOf(statement, parameters) ?? this.#asRead.note(super.all(statement, parameters))
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
    if (row !== undefined) this.#asRead.note([row])
    return row
  }
  /** Does not read a changed row that this transaction has just read: its values are known. */
  override update(change: RowChange): PlainRow {
    const changed = this.#asRead.changed(change)
    if (!changed) return super.update(change)
    this.change(change)
    return changed
  }
  protected override noteWrite(text: string): void {
    if (/^(?:select|savepoint|release)\b/i.test(text)) return
    this.#asRead.noteWrite()
    const isWrite = mayWriteSteady(text)
    if (isWrite) this.#seen = undefined
    if (isWrite || /^(?:commit|rollback)$/i.test(text)) this.#version = undefined
  }

  #keptOf<P extends object, R>(statement: Statement<P, R>, parameters: P): R[] | undefined {
    if (this.#version === undefined || !statement.isKept || !this.isSteady(statement)) return undefined
    const load = () => super.all(statement, parameters)
    return this.#kept.rows(this.#version, { statement, key: JSON.stringify(parameters), load })
  }
}
