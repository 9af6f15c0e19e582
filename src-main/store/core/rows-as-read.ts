import type { PlainRow, RowChange } from './queryable'

/** Knows which rows a connection has read since it last wrote. Nobody else writes meanwhile, so what a change makes of them need not be read. */
export class RowsAsRead {
  #writes = 0
  readonly #readAt = new WeakMap<object, number>()

  /** How often the connection may have written. */
  get writes(): number {
    return this.#writes
  }
  noteWrite(): void {
    this.#writes += 1
  }
  /** Notes rows that were read, and returns them. `at`: the value of `writes` when they were asked for. */
  note<R>(rows: R[], at = this.#writes): R[] {
    for (const row of rows) if (typeof row === 'object' && row !== null) this.#readAt.set(row, at)
    return rows
  }
  /** What a change will make of its row; undefined if the row may be stored otherwise than it was read. */
  changed({ row, set }: RowChange): PlainRow | undefined {
    if (this.#readAt.get(row) !== this.#writes) return undefined
    return { ...row, ...Object.fromEntries(set), version: row.version + 1 }
  }
}
