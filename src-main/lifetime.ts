/** The program ends before this was done: what waits is done at the next start. */
export class Stopping extends Error {
  override readonly message = 'The program is ending.'
}

/**
 * The time until something that others wait on ends: a connection, a process, a file. `Promise.race` with a promise of its end would keep every answer
 * until then; this keeps what waits, and nothing once it is answered.
 */
export class Lifetime<End> {
  readonly #waiting = new Set<(end: End) => void>()
  #end: { readonly end: End } | undefined

  /** Ends it, once: everything that waits is answered with `end`. */
  end(end: End): void {
    this.#end ??= { end }
    for (const answer of this.#waiting) answer(this.#end.end)
  }
  /** What `work` answers, or the end if that comes first. Rejects as `work` does. */
  async during<T>(work: Promise<T>): Promise<T | End> {
    if (this.#end) {
      work.catch(() => undefined)
      return this.#end.end
    }
    const { promise, resolve, reject } = Promise.withResolvers<T | End>()
    this.#waiting.add(resolve)
    work.then(resolve, reject)
    try {
      return await promise
    } finally {
      this.#waiting.delete(resolve)
    }
  }
}
