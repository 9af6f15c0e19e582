import type { Store } from '#main/store/core/store'
import { ThreadTooSlow, hasThreads, runInThread } from '../threads/run-in-thread'
import { type PassOutcome, type PassTask, runPass } from './run-pass'

/** How a pass is followed, and stopped between two batches. */
export interface PassOptions {
  readonly onProgress: (done: number) => void
  readonly signal: AbortSignal
}

/** The largest file is looked through once before its first batch: a slow machine takes a minute. */
const silentMs = 180_000

/** Runs a pass in a separate thread. Throws the signal's reason if it was stopped. */
export async function runPassApart(store: Store, task: PassTask, options: PassOptions): Promise<PassOutcome> {
  if (!hasThreads) return here(store, task, options)
  try {
    return await runInThread(store, task, { ...options, silentMs })
  } catch (error) {
    if (!(error instanceof ThreadTooSlow)) throw error
    return { kind: 'failed', headers: [], reasons: [{ key: 'errors:import.takes_too_long' }] }
  }
}

function here(store: Store, task: PassTask, { onProgress, signal }: PassOptions): Promise<PassOutcome> {
  const stoppable: Pick<Store, 'transact' | 'isFile'> = {
    isFile: store.isFile,
    transact: async (actor, work) => {
      signal.throwIfAborted()
      return store.transact(actor, work)
    },
  }
  return runPass(stoppable, task, onProgress)
}
