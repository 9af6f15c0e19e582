import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import type { FromThread, ThreadWork, ToThread } from './thread'

/** What a task has of who started its thread. */
export interface ThreadSide {
  readonly onProgress: (progress: unknown) => void
  /** Writes once this thread has the turn to. */
  readonly takeTurn: <T>(write: () => Promise<T>) => Promise<T>
}

/** A task is sent by `runInThread`, so it is what its name takes: a method's parameter may be narrower. */
type AnyTask = { run(task: unknown, side: ThreadSide): unknown }['run']

const say = (message: FromThread) => parentPort?.postMessage(message)

const side: ThreadSide = {
  onProgress: (progress) => say({ kind: 'progress', progress }),
  takeTurn: async (write) => {
    if (parentPort === null) throw new Error('Nobody gives the thread its turn.')
    const told = once(parentPort, 'message')
    say({ kind: 'waiting' })
    await told
    return write().finally(() => say({ kind: 'written' }))
  },
}

/** The program of a thread: does one task after the other. What one throws ends the thread. */
export function serveThread(tasks: Readonly<Record<string, AnyTask>>): void {
  const serve = async ({ name, task }: ThreadWork) => say({ kind: 'done', outcome: await tasks[name]?.(task, side) })
  parentPort?.on('message', (message: ToThread) => message !== 'write' && void serve(message))
}
