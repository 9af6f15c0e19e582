import { listUnnamedBlobs, forgetBlob } from '#main/store/queues/forgotten-blobs'
import { keepsUnnamedFiles } from '#main/store/core/damaged-folders'
import { endBlobTransfer } from '#main/store/sync/sync-blobs'
import { type Exchange, transact } from './exchange'

/** Removes files that no record names: of records that a user may no longer see, nothing stays, except their own unsent work. */
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
  // The row first: the doctor sweeps a file without a row, but a row without its file would be damage.
  for (const sha256 of forgotten) await exchange.blobs.remove(sha256)
}
