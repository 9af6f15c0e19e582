import { LRUCache } from 'lru-cache'
import type { CompiledQuery } from 'kysely'

/** Results of costly queries, kept until the next commit. */
export class KeptResults {
  readonly #results = new LRUCache<string, object>({ max: 500 })
  #seen = -1

  /** The result of `run`; simultaneous callers share one run. `revision` changes with every commit. */
  async of<T>(
    { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
    { revision, run }: { revision: () => number; run: () => Promise<T> },
  ): Promise<T> {
    const now = revision()
    if (now !== this.#seen) this.#results.clear()
    this.#seen = now
    const key = JSON.stringify([sql, parameters])
    const kept = this.#results.get(key)
    // The key is the whole query, so the kept value has this query's type.
    if (kept) return (kept as { value: Promise<T> }).value
    const running = { value: run() }
    this.#results.set(key, running)
    const forget = () => {
      if (this.#results.get(key) === running) this.#results.delete(key)
    }
    try {
      const value = await running.value
      if (revision() !== now) forget()
      return value
    } catch (error) {
      forget()
      throw error
    }
  }
}
