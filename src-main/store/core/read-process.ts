import type { CompiledQuery } from 'kysely'
import { DomainError } from '#shared/domain/errors'
import { createChildPool } from '#main/processes/child-pool'
import { workerFile } from '#main/worker-file'
import type { ReadTask } from './read-worker'

/** Two, so that one caller's costly query does not block all others. */
const processes = 2
/** Far above what a query needs; the database's mapped pages count too. */
const maxMemoryMb = 1024

/** The user of a query and its time limit; beyond it the query ends with {@link DomainError}. */
export interface Turn {
  readonly owner?: number | undefined
  readonly timeoutMs: number
}

/** The rows of each of several queries. */
export type RowsOf<Q extends ReadonlyArray<CompiledQuery<unknown>>> = { [K in keyof Q]: Q[K] extends CompiledQuery<infer R> ? R[] : never }

/** Processes with their own connections that read committed data, so that the main process stays responsive. */
export interface ReadProcess {
  /** The rows of queries, all read at the same moment. Each owner has one call at a time running. */
  all<const Q extends ReadonlyArray<CompiledQuery<unknown>>>(queries: Q, turn: Turn): Promise<RowsOf<Q>>
  /** Ends the processes after the queries that are running. */
  end(): Promise<void>
}

/** Processes for the database at `path`. They start with the first query and end after some idle time. */
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
      // The queries' types come from the migrated schema; here rows become typed.
      return outcome.value as RowsOf<Q>
    },
    end: async () => {
      await Promise.allSettled(running)
      await pool.close()
    },
  }
}
