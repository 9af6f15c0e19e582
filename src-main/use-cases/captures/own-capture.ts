import { notFound } from '#shared/domain/errors'
import { type CaptureWithBlob, findCapture, undoneUntil } from '#main/store/records/files/capture-reader'
import { updateCapture as storeCapture } from '#main/store/records/files/capture-writer'
import type { Tx } from '#main/store/core/store'

/** Changes of a capture; absent ones stay. `deleted_at`: null restores a deleted one. */
export interface CaptureChanges {
  readonly group?: string | null | undefined
  readonly note?: string | null | undefined
  readonly deleted_at?: null | undefined
}

/** The acting user's capture that is on no expense; a deleted one while it can be restored. Throws {@link DomainError}. */
export async function getOwnCapture(tx: Tx, id: number): Promise<CaptureWithBlob> {
  const capture = await findCapture(tx, { id, user_id: tx.actor.user_id })
  const isGone = capture?.deleted_at != null && capture.deleted_at <= undoneUntil(tx)
  if (!capture || isGone || capture.expense_id !== null) throw notFound()
  return capture
}

/** Changes a capture; a deleted one only to restore it. Throws {@link DomainError}. */
export async function updateCapture(tx: Tx, id: number, { group, note, deleted_at }: CaptureChanges): Promise<CaptureWithBlob> {
  const capture = await getOwnCapture(tx, id)
  if (capture.deleted_at !== null && deleted_at !== null) throw notFound()
  await storeCapture(tx, id, {
    ...(group !== undefined && { group_uid: group }),
    ...(note !== undefined && { note }),
    ...(deleted_at === null && { deleted_at }),
  })
  return getOwnCapture(tx, id)
}

/** Deletes a capture; its file stays until it can no longer be restored. Throws {@link DomainError}. */
export async function deleteCapture(tx: Tx, id: number): Promise<void> {
  const { deleted_at } = await getOwnCapture(tx, id)
  if (deleted_at !== null) throw notFound()
  await storeCapture(tx, id, { deleted_at: tx.now })
}
