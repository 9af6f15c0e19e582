import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '#main/clock'
import { Store } from '#main/store/core/store'
import type { Transacting } from '../expenses/import-expenses'
import { type PassOutcome, passTask, runPass } from './run-pass'

/** What the worker says to who started it. */
export type FromWorker =
  /** It would write the next batch, and waits to be told to. */
  | { readonly kind: 'waiting' }
  /** The batch is written, or undone. */
  | { readonly kind: 'written' }
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'outcome'; readonly outcome: PassOutcome }

const say = (message: FromWorker) => parentPort?.postMessage(message)

/** The entry of the worker thread: one pass over a file, on a separate connection. */
async function run(): Promise<void> {
  const task = passTask.parse(workerData)
  const store = await Store.open(task.data_folder, {
    clock: systemClock,
    isOwner: false,
    cacheMb: 32,
    database_url: task.database_url,
  })
  const inTurn: Transacting = {
    isFile: store.isFile,
    transact: async (actor, work) => {
      if (parentPort === null) throw new Error('Nobody gives the worker its turn.')
      const told = once(parentPort, 'message')
      say({ kind: 'waiting' })
      await told
      return store.transact(actor, work).finally(() => say({ kind: 'written' }))
    },
  }
  try {
    const outcome = await runPass(inTurn, task, (done) => say({ kind: 'progress', done }))
    say({ kind: 'outcome', outcome })
  } finally {
    await store.close()
  }
}

await run()
