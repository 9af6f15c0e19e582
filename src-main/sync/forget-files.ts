import { listUnnamedBlobs, forgetBlob } from '#main/store/queues/forgotten-blobs'
import { keepsUnnamedFiles } from '#main/store/core/damaged-folders'
import { endBlobTransfer } from '#main/store/sync/sync-blobs'
import { type Exchange, transact } from './exchange'

/** Removes the files that no record names any more: of what a user may no longer see, nothing stays. Their own unsent work does. */
export async function forgetFiles(exchange: Exchange): Promise<void> {
  const forgotten = await transact(exchange, async (tx) => {
    const hashes = await listUnnamedBlobs(tx)
    for (const sha256 of hashes) {
      await forgetBlob(tx, sha256)
      await endBlobTransfer(tx, { sha256, direction: 'down' })
    }
    return hashes
  })
  if (await keepsUnnamedFiles(exchange.blobs.root)) return
  // The row first: a file that nothing names is swept by the doctor, a row without its file would be damage.
  for (const sha256 of forgotten) await exchange.blobs.remove(sha256)
}
