import { workerData } from 'node:worker_threads'
import { say, threadTask, withStoreInTurns } from '../threads/thread-side'
import { runStatementTask } from '../statements/statement-task'
import { runPass } from './run-pass'

/** The entry of the worker thread: one pass over a file, or one statement. */
const task = threadTask.parse(workerData)
await withStoreInTurns(task, async (store) => {
  const outcome =
    task.kind === 'statement' ? await runStatementTask(store, task) : await runPass(store, task, (done) => say({ kind: 'progress', done }))
  say({ kind: 'outcome', outcome })
})
