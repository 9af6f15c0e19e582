import { systemClock } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import { openBlobStore } from '#main/files/open-blob-store'
import type { Store } from '#main/store/core/store'
import type { StorePlace } from '#main/store/core/thread-store'
import { listShownNumbers } from '#main/store/sync/sync-journal'
import { transact } from './exchange'
import { makeBase } from './steps/settle'

/** The thread's input. */
export interface SettleTask extends StorePlace {
  readonly place: BlobStore['place']
}

/**
 * Makes the staged rows the base, in a thread, over a separate connection. Throws if that is not for a thread to do: the responding thread
 * runs operations again and asks people. Nothing has changed then.
 */
export async function settleApart(store: Store, { data_folder, place }: SettleTask): Promise<{ pulled: number; removed: number }> {
  const tally = { pushed: 0, pulled: 0, uploads: 0, downloads: 0, removed: 0 }
  const blobs = await openBlobStore(data_folder, { place, clock: systemClock })
  const replay = () => Promise.reject(new Error('Operations are not carried out here.'))
  try {
    await transact({ store }, async (tx) => {
      if ((await listShownNumbers(tx)).length > 0) throw new Error('Operations are pending.')
      await makeBase({ store, blobs, replay, tally, takeTurn: async () => undefined }, tx)
    })
    return tally
  } finally {
    blobs.close()
  }
}
