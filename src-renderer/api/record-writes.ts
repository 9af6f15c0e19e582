import { onReset } from './page/page-state'
/** What a record is known by, and what changes with every write of it. */
export type Versioned = { readonly uid: string; readonly version: number }

/** The versions of a record that only this window wrote, without a gap: every one from `since` up to `last`. */
type OwnVersions<R> = { readonly since: number; readonly last: R }

/**
 * The writes of one person on records of one kind, in the order of request. A write waits for earlier requests
 * on the same records, and uses the version of the last response, so a person's own sequence never conflicts
 * with itself. A version written by someone else is not in the chain: the server rejects decisions made without seeing it.
 */
export class RecordWrites<R extends Versioned> {
  #tails = new Map<string, { readonly tail: Promise<unknown>; readonly count: number }>()
  readonly #own = new Map<string, OwnVersions<R>>()
  #wall: Promise<unknown> = Promise.resolve()

  constructor() {
    onReset(() => {
      this.#tails = new Map()
      this.#own.clear()
      this.#wall = Promise.resolve()
    })
  }

  /** Runs a job after all that was asked for before on these records; `all` where they are not known yet. */
  run<T>(uids: readonly string[] | 'all', job: () => Promise<T>): Promise<T> {
    const names = uids === 'all' ? [...this.#tails.keys()] : uids
    const before = names.map((uid) => this.#tails.get(uid)?.tail)
    const running = Promise.allSettled([this.#wall, ...before]).then(job)
    const tail = running.then(
      () => undefined,
      () => undefined,
    )
    if (uids === 'all') this.#wall = tail
    else for (const uid of new Set(uids)) this.#follow(uid, tail)
    return running
  }

  /** Resolves when all that was asked for until now has ended. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.#wall, ...[...this.#tails.values()].map(({ tail }) => tail)])
  }

  /** How many jobs on a record were asked for and have not ended; the one that asks is among them. */
  waiting(uid: string): number {
    return this.#tails.get(uid)?.count ?? 0
  }

  /** The record as this window last wrote it, unless someone else wrote it after it was seen like this; else as it was seen. */
  latest(seen: R): R {
    const own = this.#own.get(seen.uid)
    return own && own.since <= seen.version && seen.version <= own.last.version ? own.last : seen
  }

  /** Notes the server's response to a write of a record that stood as `before`. */
  wrote(before: Versioned, response: R): void {
    const own = this.#own.get(before.uid)
    const since = own?.last.version === before.version ? own.since : before.version
    this.#own.set(before.uid, { since, last: response })
  }

  /** Writes one record in its turn, in its state at that time. */
  write(seen: R, send: (now: R) => Promise<R>): Promise<R> {
    return this.run([seen.uid], async () => {
      const now = this.latest(seen)
      const response = await send(now)
      this.wrote(now, response)
      return response
    })
  }

  #follow(uid: string, tail: Promise<unknown>): void {
    const tails = this.#tails
    tails.set(uid, { tail, count: this.waiting(uid) + 1 })
    void tail.then(() => {
      const known = tails.get(uid)
      if (known && known.count > 1) tails.set(uid, { ...known, count: known.count - 1 })
      else tails.delete(uid)
    })
  }
}
