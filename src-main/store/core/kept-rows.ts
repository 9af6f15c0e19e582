import type { Value } from './statement'

/** The most keys that are kept; beyond this number everything is read again. */
const mostKeys = 20_000

/** The rows found for each key of a statement. */
type Found = Map<Value, readonly unknown[]>

/** Rows of statements that ask to be kept ({@link Statement.isKept}), valid for one version of the data. */
export class KeptRows {
  readonly #statements = new Map<object, Found>()
  #version = -1
  #count = 0

  /** The rows of `key`; calls `load` if they are not known at this version. */
  rows<R>(version: number, { statement, key, load }: { statement: object; key: Value; load: () => R[] }): R[] {
    const known = this.#at(version, statement)
    const rows = known.get(key)
    // The kept rows are what this statement returned.
    if (rows) return [...rows] as R[]
    return [...this.#keep(known, key, load())]
  }

  /** The rows of `ids`; calls `load` for the ids that are not known at this version. */
  rowsOf<I extends Value, R>(
    version: number,
    { statement, ids, load }: { statement: object; ids: readonly I[]; load: (missing: readonly I[]) => Map<unknown, R[]> },
  ): R[] {
    const known = this.#at(version, statement)
    const distinct = [...new Set(ids)]
    const missing = distinct.filter((id) => !known.has(id))
    const loaded = missing.length > 0 ? load(missing) : undefined
    for (const id of missing) this.#keep(known, id, loaded?.get(id) ?? [])
    // The kept rows are what this statement returned.
    return distinct.flatMap((id) => (known.get(id) ?? []) as readonly R[])
  }

  /** The frozen rows of `key` if they are known at this version. */
  find<R>(version: number, { statement, key }: { statement: object; key: Value }): R[] | undefined {
    // The kept rows are what this statement returned.
    return this.#at(version, statement).get(key) as R[] | undefined
  }
  /** Keeps the rows of `key` for this version. */
  keep<R>(version: number, { statement, key, rows }: { statement: object; key: Value; rows: R[] }): R[] {
    return this.#keep(this.#at(version, statement), key, rows)
  }

  #at(version: number, statement: object): Found {
    if (version !== this.#version || this.#count > mostKeys) {
      this.#statements.clear()
      this.#version = version
      this.#count = 0
    }
    const known = this.#statements.get(statement) ?? new Map<Value, readonly unknown[]>()
    this.#statements.set(statement, known)
    return known
  }

  /** Freezes the rows: callers share them. */
  #keep<R>(known: Found, key: Value, rows: R[]): R[] {
    for (const row of rows) Object.freeze(row)
    known.set(key, rows)
    this.#count += 1
    return rows
  }
}
