import { systemClock } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import { openBlobStore } from '#main/files/open-blob-store'
import { Store } from '#main/store/core/store'
import { listShownNumbers } from '#main/store/sync/sync-journal'
import { transact } from './exchange'
import { makeBase } from './steps/settle'

/** The thread's input. */
export interface SettleTask {
  readonly data_folder: string
  readonly place: BlobStore['place']
}

/**
 * The entry of the worker thread: makes the staged rows the base, over a separate connection. Throws if that is not for this
 * thread to do: the responding thread runs operations again and asks people. Nothing has changed then.
 */
export async function settleApart({ data_folder, place }: SettleTask) {
  const store = await Store.open(data_folder, { clock: systemClock, isOwner: false })
  const tally = { pushed: 0, pulled: 0, uploads: 0, downloads: 0, removed: 0 }
  const blobs = await openBlobStore(data_folder, { place, clock: systemClock })
  const replay = () => Promise.reject(new Error('Operations are not carried out here.'))
  try {
    await transact({ store }, async (tx) => {
      if ((await listShownNumbers(tx)).length > 0) throw new Error('Operations are pending.')
      await makeBase({ store, blobs, replay, tally, takeTurn: async () => undefined }, tx)
    })
    return { pulled: tally.pulled, removed: tally.removed }
  } finally {
    await store.close()
    blobs.close()
  }
}
