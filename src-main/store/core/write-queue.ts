import { setImmediate as nextTurn } from 'node:timers/promises'
import { beginSpan } from '#main/spans'
import { DatabaseAway } from './database-error'
import type { Awaitable, SavepointText } from './queryable'

/** Runs once the transaction is durable. */
export type Hook = () => void

/** Runs the hooks of a commit. The data are stored: a hook that fails neither undoes that nor stops the other hooks. */
export function runHooks(hooks: readonly Hook[]): void {
  for (const hook of hooks) {
    try {
      hook()
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
}

/** Work that waits for the writer. */
interface Work {
  /** Does the work inside the open transaction. Adds hooks to run after the commit; returns the function that resolves its caller's promise. */
  readonly perform: (hooks: Hook[]) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

/** Another connection's turn to write. */
interface Loan {
  readonly lend: () => Promise<void>
}

/** How the queue controls the writer of a database. */
export interface QueueWriter {
  /** The longest time, in milliseconds, for which work that waited at the beginning joins a commit. */
  readonly joinMs: number
  readonly begin: () => Promise<void>
  /** Whether the transaction is still open: SQLite ends it when the disk is full. */
  readonly isOpen: () => boolean
  readonly run: (text: SavepointText | 'ROLLBACK' | 'COMMIT') => Awaitable<unknown>
}

/** The writer of a database, as the queue uses it. */
export interface Writer extends QueueWriter {
  /** Called after each durable commit, before callers get their results. */
  readonly committed: (hooks: readonly Hook[]) => void
  readonly now: () => number
}

/** How the caller of one piece of work gets its result, after the commit has decided it. */
interface Outcome {
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

/** Runs the work in a span from the start of its wait until its commit. Its parent is the span that requested the work. */
function traced(work: Work): Work {
  const span = beginSpan('transaction')
  if (!span) return work
  return {
    perform: async (hooks) => {
      const settle = await span.run(() => work.perform(hooks))
      return () => {
        span.end()
        settle()
      }
    },
    reject: (error) => {
      span.end({ error })
      work.reject(error)
    },
  }
}

/**
 * Queues work for the one writer in the order of requests. Work that waits at the same time shares a commit, each piece in a savepoint, so that
 * failures stay separate. Callers get results, including failures, only after the commit is on disk: a failure may be due to a neighbour's write.
 */
export class WriteQueue {
  readonly #writer: Writer
  readonly #waiting: Array<Work | Loan> = []
  #serving: Promise<void> | undefined
  constructor(writer: Writer) {
    this.#writer = writer
  }

  add(waiting: Work | Loan): void {
    this.#waiting.push('perform' in waiting ? traced(waiting) : waiting)
    this.#serving ??= this.#serve()
  }

  /** Resolves when no work waits. */
  async idle(): Promise<void> {
    await this.#serving
  }

  async #serve(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Reads requests that have already arrived before the first one begins, so that they share its commit.
      await nextTurn()
      const next = this.#waiting.shift()
      if (!next) continue
      if ('lend' in next) await next.lend()
      else await this.#commit(next)
    }
    // Cleared synchronously: work that is added from now on needs another run.
    this.#serving = undefined
  }

  /** Runs work and the work that waits behind it in one transaction. */
  async #commit(first: Work): Promise<void> {
    const hooks: Hook[] = []
    const outcomes: Outcome[] = []
    try {
      await this.#begin()
      // A single piece of work needs no savepoint.
      if (this.#waiting.length === 0) outcomes.push({ settle: await first.perform(hooks), reject: first.reject })
      else await this.#share(first, { hooks, outcomes })
      await this.#writer.run('COMMIT')
    } catch (error) {
      if (this.#writer.isOpen()) await this.#writer.run('ROLLBACK')
      if (outcomes.length === 0) first.reject(error)
      for (const { reject } of outcomes) reject(error)
      return
    }
    this.#writer.committed(hooks)
    for (const { settle } of outcomes) settle()
  }

  /** Fails all waiting work together if the database is away, instead of each after its own wait. */
  async #begin(): Promise<void> {
    try {
      await this.#writer.begin()
    } catch (error) {
      if (error instanceof DatabaseAway) for (let work = this.#takeWork(); work; work = this.#takeWork()) work.reject(error)
      throw error
    }
  }

  async #share(first: Work, { hooks, outcomes }: { hooks: Hook[]; outcomes: Outcome[] }): Promise<void> {
    const until = this.#writer.now() + this.#writer.joinMs
    // Work that arrives from now on shares the next commit.
    let gathered = this.#waiting.length
    for (let work: Work | undefined = first; work; work = gathered-- > 0 && this.#writer.now() < until ? this.#takeWork() : undefined)
      outcomes.push(await this.#runApart(work, hooks))
  }

  #takeWork(): Work | undefined {
    const [next] = this.#waiting
    if (!next || 'lend' in next) return undefined
    this.#waiting.shift()
    return next
  }

  async #runApart({ perform, reject }: Work, hooks: Hook[]): Promise<Outcome> {
    const own: Hook[] = []
    await this.#writer.run('SAVEPOINT shared')
    try {
      const settle = await perform(own)
      await this.#writer.run('RELEASE shared')
      hooks.push(...own)
      return { settle, reject }
    } catch (error) {
      if (!this.#writer.isOpen()) {
        reject(error)
        throw error
      }
      await this.#writer.run('ROLLBACK TO shared')
      await this.#writer.run('RELEASE shared')
      return { settle: () => reject(error), reject }
    }
  }
}
