import type { CompiledQuery } from 'kysely'
import { DomainError } from '#shared/domain/errors'
import { createChildPool } from '#main/processes/child-pool'
import { workerFile } from '#main/worker-file'
import type { ReadTask } from './read-worker'

/** Two, so that one caller's costly query leaves the other to all others. */
const processes = 2
/** Far above what a query takes; the database's pages that are mapped count too. */
const maxMemoryMb = 1024

/** Whose a query is, and how long it may take; beyond that it is ended and {@link DomainError}. */
export interface Turn {
  readonly owner?: number | undefined
  readonly timeoutMs: number
}

/** The rows of each of several queries. */
export type RowsOf<Q extends ReadonlyArray<CompiledQuery<unknown>>> = { [K in keyof Q]: Q[K] extends CompiledQuery<infer R> ? R[] : never }

/** Processes with their own connections that read committed data, so that the main process can keep responding. */
export interface ReadProcess {
  /** The rows of queries, all of the same moment. Of one owner one call at a time is served. */
  all<const Q extends ReadonlyArray<CompiledQuery<unknown>>>(queries: Q, turn: Turn): Promise<RowsOf<Q>>
  /** Ends them once they have read what they were asked for. */
  end(): Promise<void>
}

/** Processes for the database at `path`; they start with the first query and end when there has been none for a while. */
export function createReadProcess(path: string): ReadProcess {
  const pool = createChildPool({ file: workerFile(import.meta.dirname, 'read-worker'), processes, maxMemoryMb })
  const running = new Set<Promise<unknown>>()
  return {
    all: async <const Q extends ReadonlyArray<CompiledQuery<unknown>>>(queries: Q, { owner, timeoutMs }: Turn) => {
      const task: ReadTask = { path, queries: queries.map(({ sql, parameters }) => ({ sql, parameters })) }
      const read = pool.run({ name: 'read', task, owner, timeoutMs })
      running.add(read)
      const outcome = await read.finally(() => running.delete(read))
      if (outcome.kind === 'timed_out') throw new DomainError({ kind: 'not_possible', code: 'takes_too_long' })
      if (outcome.kind !== 'done') throw new Error(outcome.kind === 'failed' ? outcome.message : `The query ${outcome.kind}.`)
      // The queries' types come from the schema that the migrations made: this is the edge where rows become typed.
      return outcome.value as RowsOf<Q>
    },
    end: async () => {
      await Promise.allSettled(running)
      await pool.close()
    },
  }
}
