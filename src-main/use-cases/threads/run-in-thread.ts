import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { DatabaseAway } from '#main/store/core/database-error'
import type { Store } from '#main/store/core/store'
import type { FromThread, ThreadTask } from './thread-side'

/** How work in a thread is followed, and stopped between two writes. */
export interface ThreadOptions {
  readonly signal: AbortSignal
  /** It is ended when it neither writes nor says anything for so long. */
  readonly silentMs: number
  readonly onProgress?: (done: number) => void
}

/** A thread wrote nothing and said nothing for too long. */
export class ThreadTooSlow extends Error {}

/** A thread that takes more than this is ended rather than the server with it. */
const maxHeapMb = 1024

/** The worker next to the built program; none where nothing is built, as in most tests. */
const workerFile = join(import.meta.dirname, 'import-worker.js')

/** Whether there is a program for threads. */
export const hasThreads = existsSync(workerFile)

/**
 * Runs a task in a separate thread. The thread writes a batch when the store lends it the turn to write, and returns the turn after each:
 * other writers wait for one batch at most. It ends only between two batches. Throws {@link ThreadTooSlow}, {@link DatabaseAway},
 * the thread's own error, or the signal's reason if it was stopped.
 */
export function runInThread<Outcome>(store: Pick<Store, 'lend'>, task: ThreadTask, options: ThreadOptions): Promise<Outcome> {
  const { signal, silentMs, onProgress } = options
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(workerFile, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    let giveBack: (() => void) | undefined
    let silence: NodeJS.Timeout | undefined
    const end = (settle: () => void) => {
      clearTimeout(silence)
      giveBack?.()
      signal.removeEventListener('abort', stop)
      void worker.terminate()
      settle()
    }
    const stop = () => giveBack === undefined && end(() => reject(toError(signal.reason)))
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(() => end(() => reject(new ThreadTooSlow('A thread was too slow.'))), silentMs)
    }
    const lend = () =>
      new Promise<void>((over) => {
        giveBack = over
        worker.postMessage('write')
      })
    signal.addEventListener('abort', stop)
    listen()
    worker.on('message', (message: FromThread<Outcome>) => {
      switch (message.kind) {
        case 'waiting':
          clearTimeout(silence)
          return void store.lend(() => (signal.aborted ? Promise.resolve() : lend()))
        case 'written':
          giveBack?.()
          giveBack = undefined
          listen()
          return signal.aborted && stop()
        case 'progress':
          return onProgress?.(message.done)
        case 'outcome':
          return end(() => resolve(message.outcome))
        case 'away':
          return end(() => reject(new DatabaseAway(message.outcome)))
      }
    })
    worker.on('error', (error) => end(() => reject(toError(error))))
    worker.on('exit', () => end(() => reject(new Error('A thread ended early.'))))
  })
}

/** The same as an error. */
export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
