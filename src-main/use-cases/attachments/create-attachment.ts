import type { z } from 'zod'
import type { attachmentRoutes } from '#shared/contract/attachments'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { insertAttachment } from '#main/store/records/files/attachment-writer'
import type { Tx } from '#main/store/core/store'
import { getVisibleExpense } from '../access/get-visible-expense'
import { claimUpload } from '../uploads/claim-upload'
import { assertEditable } from './editable-expense'

/** What an attachment is made from. */
export type CreateAttachment = z.output<typeof attachmentRoutes.create.body>

/** Attaches an uploaded file to an expense and answers the attachment's id (supplement 2, "Expenses"). Throws {@link DomainError}. */
export async function createAttachment(
  tx: Tx,
  expense_id: number,
  { file, description = null }: CreateAttachment,
): Promise<number> {
  const { user_id } = tx.actor
  const visible = await getVisibleExpense(tx, { id: expense_id, user_id })
  await assertEditable(tx, visible)
  const { sha256, file_name, content_type, bytes, created_at: uploaded_at } = await claimUpload(tx, { url: file, user_id })
  const { id } = await insertAttachment(tx, visible.expense, {
    user_id,
    description,
    sha256,
    file_name,
    content_type,
    bytes,
    uploaded_at,
  })
  await recordActivity(tx, {
    organization_id: visible.expense.payer_id,
    subject: { type: 'Expense', id: expense_id },
    source: { type: 'Attachment', id },
    event: 'attachment_created',
    details: [{ attribute: 'file', from: null, to: file_name }],
  })
  return id
}
