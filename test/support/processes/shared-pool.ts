import { Stopping } from '#main/lifetime'
import { type ChildPool, type ChildPoolOptions, createChildPool as createOwn } from '../../../src-main/processes/child-pool'

export type { ChildPool, ChildPoolOptions, Outcome, Task } from '../../../src-main/processes/child-pool'

const shared = new Map<string, ChildPool>()
/** Pools of processes that read databases, whose instances have ended. */
const spare: ChildPool[] = []

/**
 * As `src-main/processes/child-pool.ts`, but processes outlive the instances of a test process: starting one takes half a second of a processor. All
 * instances have their files inspected by the same ones, which keep nothing of a file; one process is what a test of it asks for. An instance has its
 * database read by those of an instance that has ended.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  if (options.file.includes('read-worker')) return lendReaders(options)
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

function lendReaders(options: ChildPoolOptions): ChildPool {
  const pool = spare.pop() ?? createOwn(options)
  // As many processes have the database open as have read at the same time.
  let [running, most] = [0, 0]
  let isClosed = false
  return {
    run: async (task) => {
      if (isClosed) throw new Stopping()
      running += 1
      most = Math.min(options.processes, Math.max(most, running))
      return pool.run(task).finally(() => (running -= 1))
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      const letGo = () => Promise.all(Array.from({ length: most }, () => pool.run({ name: 'close', task: null, timeoutMs: 10_000 })))
      const outcomes = running > 0 ? undefined : await letGo()
      if (outcomes?.every((outcome) => outcome.kind === 'done' && outcome.value === true)) spare.push(pool)
      else await pool.close()
    },
  }
}
