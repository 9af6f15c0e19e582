import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { attachmentRoutes } from '#shared/contract/attachments'
import { attachment as definition } from '#shared/records/attachment'
import { toColumns } from '#shared/records/columns'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { updateAttachment as storeAttachment } from '#main/store/records/files/attachment-writer'
import type { Changes } from '#main/store/core/record-writer'
import type { Tx } from '#main/store/core/store'
import { claimUpload } from '../uploads/claim-upload'
import { takeBackForReceipts } from '../expenses/decided-expense'
import { type AttachmentKey, getEditableAttachment } from './editable-expense'
import type { ActivityDetail } from '#main/store/records/conversations/new-activity'

/** Attributes to change; absent ones stay. */
export type UpdateAttachment = z.output<typeof attachmentRoutes.update.body>

/**
 * Changes an attachment's description, or replaces its file, which withdraws decisions made with the old one in view (contract 4.13, supplement 3).
 * Throws {@link DomainError}.
 */
export async function updateAttachment(tx: Tx, key: AttachmentKey, { file, ...input }: UpdateAttachment): Promise<void> {
  const { expense, attachment } = await getEditableAttachment(tx, key)
  const { width: _width, height: _height, ...row } = attachment
  const changes = { ...toColumns(definition.attributes, input), ...(file === undefined ? {} : await replaceFile(tx, row, file)) }
  const { stored, expense: touched } = await storeAttachment(tx, expense, { row, changes })
  if (stored.version === row.version) return
  const details = detailsOf(row, stored)
  if (details.some(({ attribute }) => attribute === 'file')) details.push(...(await takeBackForReceipts(tx, expense, touched)))
  await recordActivity(tx, {
    organization_id: expense.payer_id,
    subject: { type: 'Expense', id: expense.id },
    source: { type: 'Attachment', id: row.id },
    event: 'attachment_updated',
    details,
  })
}

/** Replaces the file; the same file under the same name changes nothing. */
async function replaceFile(tx: Tx, row: Row<'attachments'>, url: string): Promise<Changes<'attachments'>> {
  const { user_id } = tx.actor
  const { sha256, file_name, content_type, bytes, created_at: uploaded_at } = await claimUpload(tx, { url, user_id })
  const isSame = row.sha256 === sha256 && row.file_name === file_name && row.content_type === content_type
  return isSame ? {} : { user_id, sha256, file_name, content_type, bytes, uploaded_at }
}

/** The changed attributes, and the names of the old and the new file. */
function detailsOf(before: Row<'attachments'>, after: Row<'attachments'>): ActivityDetail[] {
  const file = { attribute: 'file', from: before.file_name, to: after.file_name } as const
  const isReplaced = before.sha256 !== after.sha256 || before.content_type !== after.content_type || file.from !== file.to
  return [...writtenDetails(definition.attributes, before, after), ...(isReplaced ? [file] : [])]
}
