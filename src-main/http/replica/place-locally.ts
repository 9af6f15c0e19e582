import { replaceAt } from '#shared/sync/references'
import { findBlob } from '#main/store/blob-reader'
import type { JournalEntry } from '#main/store/sync-journal'
import { findByUid } from '#main/store/sync-operations'
import type { Tx } from '#main/store/store'
import { recordSyncUpload } from '#main/use-cases/sync/record-sync-upload'
import { syncUploadKey, toLocation } from '#main/use-cases/uploads/upload-location'

/**
 * A journalled write with the ids that records have here now, and with uploads that can be claimed, however long ago the files
 * came; undefined where one of them is not here.
 */
export async function placeLocally(
  tx: Tx,
  { path, body, refs, blobs, user_id }: JournalEntry,
): Promise<{ path: string; body: unknown } | undefined> {
  const values: Array<{ at: string; value: number | string }> = []
  for (const { at, table, uid } of refs) {
    const record = await findByUid(tx, table, uid)
    if (!record) return undefined
    values.push({ at, value: record.id })
  }
  const own = tx.as({ ...tx.actor, user_id })
  for (const { at, sha256, file_name } of blobs) {
    const blob = await findBlob(tx, sha256)
    if (!blob) return undefined
    const { width, height, pages } = blob
    const sizes = { width: width ?? undefined, height: height ?? undefined, pages: pages ?? undefined }
    await recordSyncUpload(own, { ...blob, ...sizes, file_name })
    values.push({ at, value: toLocation('http://localhost', syncUploadKey({ user_id, sha256, file_name })) })
  }
  return replaceAt({ path, body }, values)
}
