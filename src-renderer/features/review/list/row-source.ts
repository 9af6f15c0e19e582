import type { Expense } from '#shared/contract/expenses'
import { pageSize } from '#renderer/api/pages'
import type { ReadPage, RowPage, RowQuery } from './expense-reading'
import { findRow, onHeard, type ExpenseRow } from '#renderer/records/expense/expense-store'

/** The rows of a list as far as they are known. `count` is undefined until the first page has arrived. */
export type RowSnapshot = { readonly count: number | undefined; readonly error: unknown; readonly turn: number }

/** `isListed`: whether an expense is in the list; `remembered`: its first page at an earlier visit. */
export type RowSourceParts = {
  readonly query: RowQuery
  readonly read: ReadPage
  readonly isListed: (expense: Expense) => boolean
  readonly remembered?: RowPage | undefined
}

/** How often a page is read again because of writes before these wait for it; and then because of the writes of others. */
const [patientAttempts, mostUrgentAttempts] = [2, 8]

/**
 * Which row is where in one visit to a list: a sparse array of pages of uids, read as they come into view; the rows are in the store. It
 * stays unchanged until the list is visited again, so that nothing moves under the reviewer. Rows that have left the list on the server
 * since stay here; the offsets of later pages account for them.
 */
export class RowSource {
  readonly #pages = new Map<number, readonly string[]>()
  readonly #loading = new Set<number>()
  readonly #left = new Set<number>()
  readonly #indexes = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #view = { first: 0, last: 0 }
  #snapshot: RowSnapshot = { count: undefined, error: null, turn: 0 }
  #writes: Promise<unknown> = Promise.resolve()
  #writeTurn = 0
  /** Reads that writes wait for. */
  readonly #urgent = new Set<Promise<null>>()
  readonly query: RowQuery
  readonly #read: ReadPage
  readonly #isListed: (expense: Expense) => boolean
  constructor({ query, read, isListed, remembered }: RowSourceParts) {
    this.query = query
    this.#read = read
    this.#isListed = isListed
    if (remembered?.uids.every((uid) => findRow(uid))) this.#put(0, remembered.uids, remembered.count)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly snapshot = (): RowSnapshot => this.#snapshot

  /** Whose row is at an index; undefined before it is read. */
  uidAt(index: number): string | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize]
  }
  /** The row at an index; undefined before it is read. */
  rowAt(index: number): ExpenseRow | undefined {
    const uid = this.uidAt(index)
    return uid === undefined ? undefined : findRow(uid)
  }
  /** The position of an expense, as far as it was read. */
  indexOf(uid: string): number | undefined {
    return this.#indexes.get(uid)
  }
  /** The uids of all rows that were read, in order. */
  loaded(): string[] {
    return [...this.#pages].toSorted(([a], [b]) => a - b).flatMap(([, uids]) => uids)
  }
  /** Follows which expenses leave the list and come back, until what is returned is called. */
  follow(): () => void {
    return onHeard((expense) => this.#mark(expense))
  }

  /** Reads the first page again whatever is shown: what was remembered is from an earlier visit. */
  start(): void {
    void this.#load(0)
  }
  /** Reads the pages of these rows and their neighbours, those in view first. */
  want(first: number, last: number): void {
    this.#view = { first, last }
    const [from, to] = [Math.floor(first / pageSize), Math.floor(last / pageSize)]
    const inView = Array.from({ length: to - from + 1 }, (_, step) => from + step)
    for (const page of [...inView, to + 1, from - 1]) {
      const isThere = page === 0 || (this.#snapshot.count !== undefined && page > 0 && page * pageSize < this.#snapshot.count)
      if (isThere && !this.#pages.has(page)) void this.#load(page)
    }
  }
  /** Reads every row of a range, as far as one reaches for by hand. */
  async ensure(from: number, to: number): Promise<void> {
    const first = Math.floor(Math.min(from, to) / pageSize)
    const last = Math.min(Math.floor(Math.max(from, to) / pageSize), first + 50)
    for (let page = first; page <= last; page += 1) if (!this.#pages.has(page)) await this.#load(page)
  }
  /**
   * Writes, and holds reading back until that is through, so that no page is read half before it and half after. Pages that writes have kept
   * from being read are read first.
   */
  async duringWrite<T>(write: () => Promise<T>): Promise<T> {
    while (this.#urgent.size > 0) await Promise.all(this.#urgent)
    this.#writeTurn += 1
    const written = write()
    this.#writes = Promise.allSettled([this.#writes, written])
    return written
  }
  /** Notes whether an expense is in this list on the server now. */
  #mark(expense: Expense): void {
    const index = this.#indexes.get(expense.uid)
    if (index === undefined || this.#isListed(expense) === !this.#left.has(index)) return
    this.#writeTurn += 1
    if (this.#left.has(index)) this.#left.delete(index)
    else this.#left.add(index)
  }

  /** The rows seen last. */
  inView(): ExpenseRow[] {
    const { first, last } = this.#view
    return Array.from({ length: last - first + 1 }, (_, step) => this.rowAt(first + step)).filter((row) => row !== undefined)
  }
  /** How many expenses the list has on the server, as far as is known here. */
  get listedCount(): number {
    return (this.#snapshot.count ?? 0) - this.#left.size
  }
  async #load(page: number): Promise<void> {
    if (this.#loading.has(page)) return
    this.#loading.add(page)
    try {
      await this.#settled(page)
    } catch (error) {
      this.#change({ error })
    } finally {
      this.#loading.delete(page)
    }
  }
  async #settled(page: number): Promise<void> {
    for (let attempt = 0; attempt < patientAttempts; attempt += 1) if (await this.#readUndisturbed(page)) return
    const { promise, resolve } = Promise.withResolvers<null>()
    this.#urgent.add(promise)
    try {
      // Others may still write: after a few more attempts what was read is better than nothing.
      for (let attempt = 1; !(await this.#readUndisturbed(page, attempt === mostUrgentAttempts)); attempt += 1);
    } finally {
      this.#urgent.delete(promise)
      resolve(null)
    }
  }
  /** Reads a page; false where rows left the list meanwhile: the page may begin one row too early or too late. */
  async #readUndisturbed(page: number, isLast = false): Promise<boolean> {
    await this.#writes
    const turn = this.#writeTurn
    const { count, uids } = await this.#readShifted(page)
    if (turn !== this.#writeTurn && !isLast) return false
    this.#put(page, uids, count + this.#left.size)
    return true
  }
  async #readShifted(page: number): Promise<RowPage> {
    const start = page * pageSize - [...this.#left].filter((index) => index < page * pageSize).length
    const [first, into] = [Math.floor(start / pageSize), start % pageSize]
    // What is on its way since before a write is not what comes after it.
    const turn = this.#writeTurn
    const head = await this.#read({ ...this.query, page: first + 1, turn })
    if (into === 0) return head
    const tail = await this.#read({ ...this.query, page: first + 2, turn })
    return { count: tail.count, uids: [...head.uids.slice(into), ...tail.uids.slice(0, into)] }
  }
  #put(page: number, uids: readonly string[], count: number): void {
    this.#pages.set(page, uids)
    uids.forEach((uid, index) => this.#indexes.set(uid, page * pageSize + index))
    this.#change({ count, error: null })
  }
  #change(change: Partial<RowSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change, turn: this.#snapshot.turn + 1 }
    for (const listener of this.#listeners) listener()
  }
}
