import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Store } from '#main/store/core/store'
import type { FromWorker } from './import-worker'
import { type PassOutcome, type PassTask, runPass } from './run-pass'

/** How a pass is followed, and stopped between two batches. */
export interface PassOptions {
  readonly onProgress: (done: number) => void
  readonly signal: AbortSignal
}

/** A worker that takes more than this is ended rather than the server with it. */
const maxHeapMb = 1024

/** The worker next to the built program; none where nothing is built, as in most tests. */
const workerFile = join(import.meta.dirname, 'import-worker.js')

/** Runs a pass in a separate thread. Throws the signal's reason if it was stopped. */
export function runPassApart(store: Store, task: PassTask, options: PassOptions): Promise<PassOutcome> {
  return existsSync(workerFile) ? inThread(store, task, options) : here(store, task, options)
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

/**
 * The thread writes a batch when the store lends it the turn to write, and returns the turn after each: other writers wait for
 * one batch at most. It ends only between two batches.
 */
function inThread(store: Store, task: PassTask, { onProgress, signal }: PassOptions): Promise<PassOutcome> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(workerFile, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    let giveBack: (() => void) | undefined
    const end = (settle: () => void) => {
      giveBack?.()
      signal.removeEventListener('abort', stop)
      void worker.terminate()
      settle()
    }
    const stop = () => giveBack === undefined && end(() => reject(new Error('The import was stopped.')))
    const lend = () =>
      new Promise<void>((over) => {
        giveBack = over
        worker.postMessage('write')
      })
    signal.addEventListener('abort', stop)
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'waiting':
          return void store.lend(() => (signal.aborted ? Promise.resolve() : lend()))
        case 'written':
          giveBack?.()
          giveBack = undefined
          return signal.aborted && stop()
        case 'progress':
          return onProgress(message.done)
        case 'outcome':
          return end(() => resolve(message.outcome))
      }
    })
    worker.on('error', (error) => end(() => reject(error instanceof Error ? error : new Error(String(error)))))
    worker.on('exit', () => end(() => reject(new Error('The import ended early.'))))
  })
}
