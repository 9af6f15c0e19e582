import type { TablePart } from '#shared/contract/sync'
import { keepsUnnamedFiles } from '#main/store/core/database-files'
import type { Tx } from '#main/store/core/store'
import { forgetBlob, listUnnamedBlobs } from '#main/store/queues/forgotten-blobs'
import { endBlobTransfer, noteBlobTransfer } from '#main/store/sync/sync-blobs'
import { type Exchange, transact } from './exchange'

/** Stores which files of new rows are missing here. */
export async function noteMissingFiles({ blobs }: Pick<Exchange, 'blobs'>, tx: Tx, parts: readonly TablePart[]): Promise<void> {
  for (const { name, columns, rows } of parts) {
    if (name !== 'blobs') continue
    const [hash, bytes] = [columns.indexOf('sha256'), columns.indexOf('bytes')]
    for (const row of rows) {
      const sha256 = String(row[hash])
      if (!(await blobs.has(sha256))) await noteBlobTransfer(tx, { sha256, direction: 'down', bytes: Number(row[bytes]) })
    }
  }
}

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
