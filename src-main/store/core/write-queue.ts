import { setImmediate as nextTurn } from 'node:timers/promises'
import { beginSpan } from '#main/spans'
import { DatabaseAway } from './database-error'
import type { Awaitable, SavepointText } from './queryable'

/** Runs once the transaction is durable. */
export type Hook = () => void

/** Runs what waits for a commit. What is stored is stored: a hook that fails can neither undo it nor keep the others from running. */
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
  /** Does it inside the open transaction; notes what is to run after the commit, and returns what tells its caller. */
  readonly perform: (hooks: Hook[]) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

/** Someone else's turn to write, on another connection. */
interface Loan {
  readonly lend: () => Promise<void>
}

/** How the one writer of a database takes its turns. */
export interface QueueWriter {
  readonly begin: () => Promise<void>
  /** Whether the transaction is still open: SQLite ends it itself when the disk is full. */
  readonly isOpen: () => boolean
  readonly run: (text: SavepointText | 'ROLLBACK' | 'COMMIT') => Awaitable<unknown>
}

/** What the queue does with the one writer of a database. */
export interface Writer extends QueueWriter {
  /** Called after each durable commit, before its callers hear of it. */
  readonly committed: (hooks: readonly Hook[]) => void
  readonly now: () => number
}

/** How the caller of one piece of work learns of its outcome, once the commit has decided it. */
interface Outcome {
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

/** The same work in a span, from when it begins to wait until its commit. The span is a part of the one that asked for the work. */
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

/** How long work joins a commit, in milliseconds: so long the thread is kept from reading. */
const joinMs = 8

/**
 * Lets work wait for the one writer, in the order in which it was asked for. Work that waits at the same time shares a commit, each in a
 * savepoint: what fails fails alone. No caller hears anything before the commit is on the disk, not even that its work failed, since it may
 * have failed because of what a neighbour wrote.
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

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#serving
  }

  async #serve(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Requests that have arrived are read before the first of them begins, and can share its commit.
      await nextTurn()
      const next = this.#waiting.shift()
      if (!next) continue
      if ('lend' in next) await next.lend()
      else await this.#commit(next)
    }
    // At once: what is added from now on must be served again.
    this.#serving = undefined
  }

  /** Runs work and what waits behind it in one transaction. */
  async #commit(first: Work): Promise<void> {
    const hooks: Hook[] = []
    const outcomes: Outcome[] = []
    try {
      await this.#begin()
      // Nothing to keep apart: a savepoint would only cost.
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

  /** What has waited while the database was away is not kept waiting once more, each in its turn. */
  async #begin(): Promise<void> {
    try {
      await this.#writer.begin()
    } catch (error) {
      if (error instanceof DatabaseAway) for (let work = this.#takeWork(); work; work = this.#takeWork()) work.reject(error)
      throw error
    }
  }

  async #share(first: Work, { hooks, outcomes }: { hooks: Hook[]; outcomes: Outcome[] }): Promise<void> {
    const until = this.#writer.now() + joinMs
    for (let work: Work | undefined = first; work; work = this.#writer.now() < until ? this.#takeWork() : undefined)
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
