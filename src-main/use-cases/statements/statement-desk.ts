import type { StatementReport } from '#shared/contract/organization-records/statements'
import { DomainError } from '#shared/domain/errors'
import { createFairTurns } from '#main/processes/fair-turns'
import type { Actor, Store } from '#main/store/core/store'
import { ThreadTooSlow, hasThreads, runInThread } from '../threads/run-in-thread'
import { type ImportedStatement, importStatement } from './import-statement'
import type { StatementOutcome } from './statement-task'

/** The server ends before a statement was read, or added whole: what was added stays, and the same file adds the rest. */
export class StatementStopped extends Error {}

/** Statements that are read at once: each holds its lines in memory. Of one user one at a time. */
const threads = 2
/** The largest statement takes some seconds. */
const silentMs = 60_000

/** Imports statements in threads, so that the server responds meanwhile. */
export class StatementDesk {
  readonly #takeTurn = createFairTurns(threads)
  readonly #stop = new AbortController()

  constructor(readonly parts: { readonly data_folder: string; readonly store: Store }) {}

  /** As `importStatement`. Throws {@link DomainError} where it takes too long, too, and {@link StatementStopped}. */
  async import(actor: Actor, asked: ImportedStatement): Promise<StatementReport> {
    const { data_folder, store } = this.parts
    if (!hasThreads) return importStatement(store, actor, asked)
    const task = { kind: 'statement' as const, data_folder, database_url: store.database_url, actor, asked }
    const { signal } = this.#stop
    try {
      const outcome = await this.#takeTurn(actor.user_id, () => runInThread<StatementOutcome>(store, task, { signal, silentMs }))
      if (outcome.kind === 'refused') throw new DomainError(outcome.refusal)
      return outcome.report
    } catch (error) {
      if (error instanceof ThreadTooSlow) throw new DomainError({ kind: 'not_possible', code: 'statement.takes_too_long' })
      throw error
    }
  }

  /** Ends what is being read at once, and what is being added after the lines that are written. */
  close(): void {
    this.#stop.abort(new StatementStopped('The server is ending.'))
  }
}
