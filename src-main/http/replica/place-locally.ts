import { replaceAt } from '#shared/sync/references'
import { findBlob } from '#main/store/records/files/blob-reader'
import type { JournalEntry } from '#main/store/sync/sync-journal'
import { findByUid } from '#main/store/sync/sync-operations'
import type { Tx } from '#main/store/core/store'
import { offerStoredFile } from '#main/use-cases/sync/record-sync-upload'

/** A journalled write with current local ids and claimable uploads, even for old files; undefined if one of them is not here. */
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
    values.push({ at, value: await offerStoredFile(own, blob, { file_name, base_url: 'http://localhost' }) })
  }
  return replaceAt({ path, body }, values)
}
