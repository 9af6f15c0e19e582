import type { QueryClient } from '@tanstack/react-query'
import type { Expense } from '#shared/contract/expenses'
import { readExpensePage, type ExpenseFilter, type ExpensePage } from '../../../api/expenses'
import { pageSize } from '../../../api/pages'

/** What a list shows. */
export type RowQuery = { readonly filter: ExpenseFilter; readonly sort: string }

/** The rows of a list as far as they are known. `count` is undefined until the first page has arrived. */
export type RowSnapshot = { readonly count: number | undefined; readonly error: unknown; readonly turn: number }

/** Reads one page of a list as the server has it now; `page` counts from 1. */
export type ReadPage = (query: RowQuery & { page: number }) => Promise<ExpensePage>

/** The key of the cached pages of a list. */
export function pageKeyOf({ filter, sort }: RowQuery) {
  return ['review', 'page', filter, sort] as const
}

/** Reads pages through the query cache, which keeps the last ones for coming back. */
export function cachedReader(client: QueryClient): {
  read: ReadPage
  remembered: (query: RowQuery & { page: number }) => ExpensePage | undefined
} {
  return {
    read: (query) =>
      client.fetchQuery({
        queryKey: [...pageKeyOf(query), query.page],
        queryFn: ({ signal }) => readExpensePage(query, signal),
        staleTime: 0,
      }),
    remembered: (query) => client.getQueryData<ExpensePage>([...pageKeyOf(query), query.page]),
  }
}

/**
 * The rows of one visit to a list: a sparse array of pages, read as they come into view. It stays unchanged until the list
 * is visited again, so that nothing moves under the reviewer. Rows that have left the list on the server since (`leave`)
 * stay here; the offsets of later pages account for them.
 */
export class RowSource {
  readonly #pages = new Map<number, readonly Expense[]>()
  readonly #loading = new Set<number>()
  readonly #left = new Set<number>()
  readonly #indexes = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #view = { first: 0, last: 0 }
  #snapshot: RowSnapshot = { count: undefined, error: null, turn: 0 }
  #writes: Promise<unknown> = Promise.resolve()
  #writeTurn = 0
  readonly query: RowQuery
  readonly #read: ReadPage
  constructor(query: RowQuery, read: ReadPage, remembered?: ExpensePage) {
    this.query = query
    this.#read = read
    if (remembered) this.#put(0, remembered.expenses, remembered.count)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly snapshot = (): RowSnapshot => this.#snapshot

  /** The expense at an index as read; undefined before. */
  get(index: number): Expense | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize]
  }
  /** The position of an expense, as far as it was read. */
  indexOf(uid: string): number | undefined {
    return this.#indexes.get(uid)
  }
  /** The expense of a uid, as far as it was read. */
  find(uid: string): Expense | undefined {
    const index = this.#indexes.get(uid)
    return index === undefined ? undefined : this.get(index)
  }
  /** Every expense that was read, in order. */
  loaded(): Expense[] {
    return [...this.#pages].toSorted(([a], [b]) => a - b).flatMap(([, rows]) => rows)
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
  /** Holds reading back until a write is through, so that no page is read half before it and half after. */
  duringWrite<T>(write: Promise<T>): Promise<T> {
    this.#writeTurn += 1
    this.#writes = Promise.allSettled([this.#writes, write])
    return write
  }
  /** Notes that an expense is no longer, or is again, in this list on the server. */
  mark(uid: string, isListed: boolean): void {
    const index = this.#indexes.get(uid)
    if (index === undefined) return
    this.#writeTurn += 1
    if (isListed) this.#left.delete(index)
    else this.#left.add(index)
  }

  /** The rows seen last, as read. */
  inView(): Expense[] {
    const { first, last } = this.#view
    return Array.from({ length: last - first + 1 }, (_, step) => this.get(first + step)).filter((read) => read !== undefined)
  }
  /** How many expenses the list has on the server, as far as is known here. */
  get listedCount(): number {
    return (this.#snapshot.count ?? 0) - this.#left.size
  }
  /** Replaces expenses by their current state; no row moves. */
  replace(expenses: readonly Expense[]): void {
    const fresh = new Map(expenses.map((expense) => [expense.uid, expense]))
    for (const page of new Set(expenses.map(({ uid }) => Math.floor((this.#indexes.get(uid) ?? 0) / pageSize)))) {
      const rows = this.#pages.get(page)
      if (rows)
        this.#pages.set(
          page,
          rows.map((row) => fresh.get(row.uid) ?? row),
        )
    }
    this.#change({})
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
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await this.#writes
      const turn = this.#writeTurn
      const { count, rows } = await this.#readShifted(page)
      if (turn === this.#writeTurn || attempt === 4) return this.#put(page, rows, count + this.#left.size)
    }
  }
  async #readShifted(page: number): Promise<{ count: number; rows: readonly Expense[] }> {
    const start = page * pageSize - [...this.#left].filter((index) => index < page * pageSize).length
    const [first, into] = [Math.floor(start / pageSize), start % pageSize]
    const head = await this.#read({ ...this.query, page: first + 1 })
    if (into === 0) return { count: head.count, rows: head.expenses }
    const tail = await this.#read({ ...this.query, page: first + 2 })
    return { count: tail.count, rows: [...head.expenses.slice(into), ...tail.expenses.slice(0, into)] }
  }
  #put(page: number, rows: readonly Expense[], count: number): void {
    this.#pages.set(page, rows)
    rows.forEach(({ uid }, index) => this.#indexes.set(uid, page * pageSize + index))
    this.#change({ count, error: null })
  }
  #change(change: Partial<RowSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change, turn: this.#snapshot.turn + 1 }
    for (const listener of this.#listeners) listener()
  }
}
