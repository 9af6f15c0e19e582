import { systemClock } from '#main/clock'
import { createBlobStore } from '#main/files/blob-store'
import { Store } from '#main/store/core/store'
import { listShownNumbers } from '#main/store/sync/sync-journal'
import { transact } from './exchange'
import { makeBase } from './steps/settle'

/** What the thread is told. */
export interface SettleTask {
  readonly data_folder: string
}

/**
 * The entry of the worker thread: makes what is staged the base, over a connection of its own. Throws where that is not for this
 * thread to do: operations are carried out again, and people asked, by the one that answers. Nothing has changed then.
 */
export async function settleApart({ data_folder }: SettleTask) {
  const store = await Store.open(data_folder, { clock: systemClock, isOwner: false })
  const tally = { pushed: 0, pulled: 0, uploads: 0, downloads: 0, removed: 0 }
  const blobs = createBlobStore(data_folder, { randomId: () => systemClock.uid() })
  const replay = () => Promise.reject(new Error('Operations are not carried out here.'))
  try {
    await transact({ store }, async (tx) => {
      if ((await listShownNumbers(tx)).length > 0) throw new Error('Operations are pending.')
      await makeBase({ store, blobs, replay, tally, takeTurn: async () => undefined }, tx)
    })
    return { pulled: tally.pulled, removed: tally.removed }
  } finally {
    await store.close()
  }
}
