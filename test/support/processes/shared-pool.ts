import { Stopping } from '#main/lifetime'
import { type ChildPool, type ChildPoolOptions, createChildPool as createOwn } from '../../../src-main/processes/child-pool'

export type { ChildPool, ChildPoolOptions, Outcome, Task } from '../../../src-main/processes/child-pool'

const shared = new Map<string, ChildPool>()
/** Pools of processes that read databases, whose instances have ended. */
const spare: ChildPool[] = []

/** Whether all instances use the same: what keeps nothing of a file. One process that inspects is what a test of it asks for. */
const isShared = ({ file, processes }: ChildPoolOptions) =>
  file.includes('receipt-worker') || (file.includes('inspect-worker') && processes !== 1)

/**
 * As `src-main/processes/child-pool.ts`, but processes outlive the instances of a test process: starting one takes half a second of a processor, and one
 * that reads receipts four seconds. An instance has its database read by the processes of an instance that has ended.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  if (options.file.includes('read-worker')) return lendReaders(options)
  if (!isShared(options)) return createOwn(options)
  const key = JSON.stringify(options)
  const pool = shared.get(key) ?? createOwn(options)
  shared.set(key, pool)
  const closing = Promise.withResolvers<never>()
  closing.promise.catch(() => undefined)
  return {
    // What was begun goes on, and nobody waits for it.
    run: (task) => Promise.race([closing.promise, pool.run(task)]),
    close: async () => {
      closing.reject(new Stopping())
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
