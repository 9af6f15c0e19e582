import type { CompiledQuery } from 'kysely'
import type { Piscina } from 'piscina'
import { workerFile } from '#main/worker-file'
import type { ReadTask } from './read-worker'

const idleTimeoutMs = 60_000

/** A thread with a connection of its own that reads what has been committed, so that the one that answers goes on answering. */
export interface ReadThread {
  /** The rows of a query. */
  all<R>(query: CompiledQuery<R>): Promise<R[]>
  /** Ends it once it has read what it was asked for. */
  end(): Promise<void>
}

/** A thread for the database at `path`; it starts with the first query and ends when there has been none for a while. */
export function createReadThread(path: string): ReadThread {
  let starting: Promise<Piscina> | undefined
  const running = new Set<Promise<unknown>>()
  return {
    all: async <R>({ sql, parameters }: CompiledQuery<R>) => {
      starting ??= startPool()
      const pool = await starting
      const task: ReadTask = { path, sql, parameters }
      const read: Promise<unknown> = pool.run(task, { name: 'read' })
      running.add(read)
      // The query's type comes from the schema that the migrations made: this is the edge where rows become typed.
      return (await read.finally(() => running.delete(read))) as R[]
    },
    end: async () => {
      const pool = await starting
      // The pool itself drops what still waits for its turn.
      await Promise.allSettled(running)
      await pool?.close()
    },
  }
}

async function startPool(): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  const filename = workerFile(import.meta.dirname, 'read-worker')
  return new Piscina({ filename, minThreads: 0, maxThreads: 1, idleTimeout: idleTimeoutMs })
}
