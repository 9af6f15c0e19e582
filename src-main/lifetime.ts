/** The program is ending before this was done; waiting work continues at the next start. */
export class Stopping extends Error {
  override readonly message = 'The program is ending.'
}

/**
 * The lifetime of something that others wait on: a connection, a process, a file. `Promise.race` with a promise of its end would keep every result
 * until then; this keeps only pending waits.
 */
export class Lifetime<End> {
  readonly #waiting = new Set<(end: End) => void>()
  #end: { readonly end: End } | undefined

  /** Ends it, once: all pending waits resolve to `end`. */
  end(end: End): void {
    this.#end ??= { end }
    for (const answer of this.#waiting) answer(this.#end.end)
  }
  /** The result of `work`, or the end if that comes first. Rejects if `work` does. */
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
