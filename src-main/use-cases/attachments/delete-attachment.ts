import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { deleteAttachment as storeDeletion } from '#main/store/records/files/attachment-writer'
import type { Tx } from '#main/store/core/store'
import { takeBackForReceipts } from '../expenses/decided-expense'
import { type AttachmentKey, getEditableAttachment } from './editable-expense'

/** Deletes an attachment and withdraws decisions made with it in view (contract 4.13, supplement 3). Throws {@link DomainError}. */
export async function deleteAttachment(tx: Tx, key: AttachmentKey): Promise<void> {
  const { expense, attachment } = await getEditableAttachment(tx, key)
  const left = await storeDeletion(tx, expense, attachment)
  await recordActivity(tx, {
    organization_id: expense.payer_id,
    subject: { type: 'Expense', id: expense.id },
    source: { type: 'Attachment', id: attachment.id },
    event: 'attachment_destroyed',
    details: [{ attribute: 'file', from: attachment.file_name, to: null }, ...(await takeBackForReceipts(tx, expense, left))],
  })
}
