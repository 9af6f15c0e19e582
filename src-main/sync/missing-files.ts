import type { TablePart } from '#shared/contract/sync'
import { noteBlobTransfer } from '#main/store/sync/sync-blobs'
import type { Tx } from '#main/store/core/store'
import type { Exchange } from './exchange'

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
