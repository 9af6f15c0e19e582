import { Stopping } from '#main/lifetime'
import { type ChildPool, type ChildPoolOptions, createChildPool as createOwn } from '../../../src-main/processes/child-pool'

export type { ChildPool, ChildPoolOptions, Outcome, Task } from '../../../src-main/processes/child-pool'

const shared = new Map<string, ChildPool>()

/**
 * As `src-main/processes/child-pool.ts`, but all instances of a test process have their files inspected by the same processes: starting them takes half a
 * second of a processor, and they keep nothing of a file. One process is what a test of it asks for.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  if (!options.file.includes('inspect-worker') || options.processes === 1) return createOwn(options)
  const key = JSON.stringify(options)
  const pool = shared.get(key) ?? createOwn(options)
  shared.set(key, pool)
  let isClosed = false
  const assertOpen = () => {
    if (isClosed) throw new Stopping()
  }
  return {
    run: async (task) => {
      assertOpen()
      return pool.run(task).finally(assertOpen)
    },
    close: async () => {
      isClosed = true
      return Promise.resolve()
    },
  }
}
