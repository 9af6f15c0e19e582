import { type ThreadSide, serveThread } from '#main/processes/serve-thread'
import type { CopyTask, VerifyTask } from '#main/snapshots/snapshot-work'
import type { SalvageTask } from '#main/snapshots/salvage'
import type { Store } from '#main/store/core/store'
import type { StorePlace } from '#main/store/core/thread-store'
import type { SettleTask } from '#main/sync/settle-apart'
import type { ExportTask } from '#main/use-cases/exports/run-export'
import type { PassTask } from '#main/use-cases/imports/run-pass'
import type { StatementTask } from '#main/use-cases/statements/import-statement'

// The program of every thread. It loads what its task needs, and nothing else.

type OnStore<T> = (store: Store, task: T, side: ThreadSide) => Promise<unknown>

const stores = () => import('#main/store/core/thread-store')
const onStore =
  <T extends StorePlace>(work: OnStore<T>) =>
  async (task: T, side: ThreadSide) =>
    (await stores()).withOwnStore(task, (store) => work(store, task, side))

serveThread({
  pass: onStore<PassTask>(async (store, task, side) => {
    const { runPass } = await import('#main/use-cases/imports/run-pass')
    return runPass((await stores()).inTurns(store, side), task, side.onProgress)
  }),
  statement: onStore<StatementTask>(async (store, task, side) => {
    const { runStatement } = await import('#main/use-cases/statements/import-statement')
    return runStatement((await stores()).inTurns(store, side), task)
  }),
  export: onStore<ExportTask>(async (store, task, side) =>
    (await import('#main/use-cases/exports/run-export')).runExport(store, task, side.onProgress),
  ),
  settle: onStore<SettleTask>(async (store, task, side) => {
    const { settleApart } = await import('#main/sync/settle-apart')
    return side.takeTurn(() => settleApart(store, task))
  }),
  copy: async (task: CopyTask) => (await import('#main/snapshots/snapshot-work')).copyDatabaseWhole(task),
  verify: async (task: VerifyTask) => (await import('#main/snapshots/snapshot-work')).verifyRows(task),
  salvage: async (task: SalvageTask) => (await import('#main/snapshots/salvage')).salvageRows(task),
})
