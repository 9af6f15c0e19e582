import type { Value } from './statement'

/** How many keys are kept at most, in all: beyond it everything is read again. */
const mostKeys = 20_000

/** What was found under a key of a statement. */
type Found = Map<Value, readonly unknown[]>

/** Rows of statements that ask to be kept ({@link Statement.isKept}), valid for one version of the data. */
export class KeptRows {
  readonly #statements = new Map<object, Found>()
  #version = -1
  #count = 0

  /** The rows under `key`, from `load` where they are not known at this version. */
  rows<R>(version: number, { statement, key, load }: { statement: object; key: Value; load: () => R[] }): R[] {
    const known = this.#at(version, statement)
    const rows = known.get(key)
    // What is kept for a statement is what it returned.
    if (rows) return [...rows] as R[]
    return [...this.#keep(known, key, load())]
  }

  /** The rows that belong to any of `ids`: from `load`, by id, for those that are not known at this version. */
  rowsOf<I extends Value, R>(
    version: number,
    { statement, ids, load }: { statement: object; ids: readonly I[]; load: (missing: readonly I[]) => Map<unknown, R[]> },
  ): R[] {
    const known = this.#at(version, statement)
    const distinct = [...new Set(ids)]
    const missing = distinct.filter((id) => !known.has(id))
    const loaded = missing.length > 0 ? load(missing) : undefined
    for (const id of missing) this.#keep(known, id, loaded?.get(id) ?? [])
    // As above.
    return distinct.flatMap((id) => (known.get(id) ?? []) as readonly R[])
  }

  /** The rows under `key`, where they are known at this version: frozen, as all that are kept. */
  find<R>(version: number, { statement, key }: { statement: object; key: Value }): R[] | undefined {
    // As above.
    return this.#at(version, statement).get(key) as R[] | undefined
  }
  /** Keeps what was found under `key` at this version. */
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

  /** Callers share a row, so none of them may change it. */
  #keep<R>(known: Found, key: Value, rows: R[]): R[] {
    for (const row of rows) Object.freeze(row)
    known.set(key, rows)
    this.#count += 1
    return rows
  }
}
