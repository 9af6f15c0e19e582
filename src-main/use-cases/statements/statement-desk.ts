import { z } from 'zod'
import type { StatementReport } from '#shared/contract/organization-records/statements'
import { DomainError } from '#shared/domain/errors'
import { Stopping } from '#main/lifetime'
import { createChildPool } from '#main/processes/child-pool'
import { createFairTurns } from '#main/processes/fair-turns'
import { ThreadTooSlow } from '#main/processes/thread'
import type { Actor, Store } from '#main/store/core/store'
import { runWithStore } from '#main/store/core/thread-store'
import { workerFile } from '#main/worker-file'
import type { Inspector } from '#main/files/inspect'
import type { FoundMatches, MatchTask } from './find-matches'
import { pagesOfPdf } from './pages-of-pdf'
import type { ImportedStatement, StatementOutcome } from './import-statement'

/** Statements that are read at once: each holds its lines in memory. Of one user one at a time. */
const threads = 2
/** The largest statement takes some seconds. */
const silentMs = 60_000

/** The process is of this program: it answers what `findMatches` does. */
const foundMatches = z.custom<FoundMatches>((value) => typeof value === 'object')
/** Tens of thousands of lines and expenses take seconds. */
const matching = { timeoutMs: 20_000, processes: 1, maxMemoryMb: 1024 }

/** Imports statements in threads, and matches their lines in a process, so that the server responds meanwhile. */
export class StatementDesk {
  readonly #takeTurn = createFairTurns(threads)
  readonly #stop = new AbortController()
  readonly #matching = createChildPool({ file: workerFile(import.meta.dirname, 'match-worker'), ...matching })

  constructor(readonly parts: { readonly data_folder: string; readonly store: Store; readonly inspector: Pick<Inspector, 'readTexts'> }) {}

  /**
   * As `importStatement`. Throws {@link DomainError} where it takes too long, too, and {@link Stopping}: what was
   * added then stays, and the same file adds the rest.
   */
  async import(actor: Actor, asked: ImportedStatement): Promise<StatementReport> {
    const { data_folder, store, inspector } = this.parts
    const pages = await pagesOfPdf(inspector, asked.path, asked.locale)
    const task = { data_folder, database_url: store.database_url, actor, asked: { ...asked, pages } }
    const watch = { signal: this.#stop.signal, silentMs }
    try {
      const outcome = await this.#takeTurn(actor.user_id, () => runWithStore<StatementOutcome>(store, { name: 'statement', task }, watch))
      if (outcome.kind === 'refused') throw new DomainError(outcome.refusal)
      return outcome.report
    } catch (error) {
      if (error instanceof ThreadTooSlow) throw new DomainError({ kind: 'not_possible', code: 'statement.takes_too_long' })
      throw error
    }
  }

  /** As `findMatches`, for a user. Throws {@link DomainError} where it takes too long, and {@link Stopping}. */
  async match(task: MatchTask, user_id: number): Promise<FoundMatches> {
    const { timeoutMs } = matching
    const outcome = await this.#matching.run({ name: 'match', task, owner: user_id, timeoutMs })
    if (outcome.kind === 'timed_out' || outcome.kind === 'too_large')
      throw new DomainError({ kind: 'not_possible', code: 'statement.too_many_to_match' })
    if (outcome.kind !== 'done') throw new Error(outcome.kind === 'failed' ? outcome.message : 'The process that matches lines died.')
    return foundMatches.parse(outcome.value)
  }

  /** Ends what is being read and matched at once, and what is being added after the lines that are written. */
  async close(): Promise<void> {
    this.#stop.abort(new Stopping())
    await this.#matching.close()
  }
}
