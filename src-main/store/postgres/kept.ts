import { AsyncLocalStorage } from 'node:async_hooks'
import type { Asked } from '../core/reader'
import { KeptResults } from '../core/kept-results'
import { KeptRows } from '../core/kept-rows'
import type { ListStatement, Statement, Value } from '../core/statement'
import { isSteady, isSteadyList } from './connection'

interface Asking<R> {
  readonly version?: number | undefined
  readonly load: () => Promise<R[]>
}

/** The rows of a kept statement. `version`: the version of the steady tables, if the caller knows it. */
export function keptRows<P extends object, R>(
  kept: Kept,
  { statement, parameters, load, version }: Asking<R> & { statement: Statement<P, R>; parameters: P },
): Promise<R[]> {
  const key = JSON.stringify(parameters)
  return kept.rowsOf(
    { statement, isSteady: isSteady(statement) },
    { keys: [key], version, load: async () => new Map([[key, await load()]]) },
  )
}

/** The rows of a kept statement by ids. */
export function keptRowsOf<I extends Value, R>(
  kept: Kept,
  {
    statement,
    ids,
    load,
    version,
  }: { statement: ListStatement<I, R>; ids: readonly I[]; load: (missing: readonly I[]) => Promise<R[]>; version?: number | undefined },
): Promise<R[]> {
  const { keptBy } = statement
  if (keptBy === undefined) return load(ids)
  const group = async (missing: readonly I[]) => Map.groupBy<unknown, R>(await load(missing), (row) => row[keptBy])
  return kept.rowsOf({ statement, isSteady: isSteadyList(statement) }, { keys: ids, version, load: group })
}

/** How long a request treats its last look as current. */
const freshMs = 100

/** A request, and when it last looked for changes. */
interface Request {
  lookedAtMs: number
  commits: number
}

/** A number that changes with the observed state of the database. */
class Version {
  number = 0
  #seen: string | undefined
  note(seen: string): number {
    if (seen !== this.#seen) this.forget()
    this.#seen = seen
    return this.number
  }
  forget(): void {
    this.number += 1
    this.#seen = undefined
  }
}

/** The result of looking for changes. */
export interface Look {
  /** Version of the steady tables. */
  readonly steady: string
  /** Version of all data. */
  readonly moment: string
}

/** A statement, and whether only steady tables can change its result. */
export interface KeptQuery {
  readonly statement: object
  readonly isSteady: boolean
}

interface Keeping {
  readonly look: () => Promise<Look>
  /** The number of commits by this process, or reported by others. */
  readonly commits: () => number
  readonly nowMs: () => number
}

/**
 * What a process keeps of the database. A request looks once for changes, when it first needs something kept. So it sees everything that any server
 * committed before the request began; concurrent requests share a look. Reads outside a request keep nothing.
 */
export class Kept {
  readonly #keeping: Keeping
  readonly #requests = new AsyncLocalStorage<Request>()
  readonly #versions = { steady: new Version(), all: new Version() }
  readonly #rows = { steady: new KeptRows(), all: new KeptRows() }
  readonly #results = new KeptResults()
  #looking: Promise<void> | undefined
  #next: Promise<void> | undefined
  constructor(keeping: Keeping) {
    this.#keeping = keeping
  }

  /** Runs the work of one request. */
  asRequest<T>(work: () => T): T {
    return this.#requests.run({ lookedAtMs: -Infinity, commits: -1 }, work)
  }
  /** Drops everything kept: a new connection may lead to a standby that took over. */
  forget(): void {
    this.#versions.steady.forget()
    this.#versions.all.forget()
  }
  /** The version of the steady tables as seen by a transaction, while no other can write. */
  noteSteady(seen: string): number {
    return this.#versions.steady.note(seen)
  }

  /** The rows of each key; calls `load` for those that are not kept. `version`: the version of the steady tables, if the caller knows it. */
  async rowsOf<K extends Value, R>(
    { statement, isSteady }: KeptQuery,
    {
      keys,
      load,
      version,
    }: { keys: readonly K[]; load: (missing: readonly K[]) => Promise<Map<unknown, R[]>>; version?: number | undefined },
  ): Promise<R[]> {
    const kind = isSteady ? 'steady' : 'all'
    const rows = this.#rows[kind]
    const now = version ?? (await this.#versionOf(kind))
    const found = new Map(keys.map((key) => [key, now === undefined ? undefined : rows.find<R>(now, { statement, key })]))
    const missing = [...found].flatMap(([key, known]) => (known ? [] : [key]))
    const loaded = missing.length > 0 ? await load(missing) : undefined
    // If something has changed meanwhile, the next request reads it again.
    const isCurrent = now !== undefined && now === this.#versions[kind].number
    for (const key of missing) {
      const own = loaded?.get(key) ?? []
      found.set(key, isCurrent ? rows.keep(now, { statement, key, rows: own }) : own)
    }
    return [...found.values()].flatMap((own) => own ?? [])
  }
  /** The result of a query that reads much. */
  async result<T>(query: Asked, run: () => Promise<T>): Promise<T> {
    if ((await this.#versionOf('all')) === undefined) return run()
    return this.#results.of(query, { revision: () => this.#versions.all.number, run })
  }

  async #versionOf(kind: 'steady' | 'all'): Promise<number | undefined> {
    const request = this.#requests.getStore()
    if (!request) return undefined
    const { commits, nowMs } = this.#keeping
    const [nowCommits, now] = [commits(), nowMs()]
    if (request.commits !== nowCommits || now - request.lookedAtMs > freshMs) {
      await this.#look()
      Object.assign(request, { commits: nowCommits, lookedAtMs: now })
    }
    return this.#versions[kind].number
  }
  /** Starts a new look: a look that is already running may have seen an earlier state. */
  #look(): Promise<void> {
    if (!this.#looking) return this.#begin()
    const again = () => {
      this.#next = undefined
      return this.#begin()
    }
    this.#next ??= this.#looking.then(again, again)
    return this.#next
  }
  #begin(): Promise<void> {
    const looking = this.#keeping.look().then(({ steady, moment }) => {
      this.#versions.steady.note(steady)
      this.#versions.all.note(moment)
    })
    this.#looking = looking
    const over = () => {
      if (this.#looking === looking) this.#looking = undefined
    }
    looking.then(over, over)
    return looking
  }
}
