import type { Row } from '#db/schema'
import { attachment } from '#shared/records/attachment'
import { type PlainInput, newColumns } from '#shared/records/columns'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { insertAttachment } from '#main/store/records/files/attachment-writer'
import { findBlob } from '#main/store/records/files/blob-reader'
import type { Tx } from '#main/store/core/store'
import { getVisibleExpense } from '../access/get-visible-expense'
import { claimUpload } from '../uploads/claim-upload'
import { assertEditable } from './editable-expense'

/** A file to attach: the Location of the acting user's upload, or a stored file with a name. */
export type AttachedFile = string | { readonly sha256: string; readonly file_name: string }

/** Attaches a file to an expense; returns the attachment's id (supplement 2, "Expenses"). Throws {@link DomainError}. */
export async function attachBlob(
  tx: Tx,
  expense_id: number,
  { file, ...input }: PlainInput<typeof attachment.attributes> & { readonly file: AttachedFile },
): Promise<number> {
  const { user_id } = tx.actor
  const visible = await getVisibleExpense(tx, { id: expense_id, user_id })
  await assertEditable(tx, visible)
  const found = await findFile(tx, file)
  const { id } = await insertAttachment(tx, visible.expense, { ...newColumns(attachment.attributes, input), ...{ user_id, ...found } })
  await recordActivity(tx, {
    organization_id: visible.expense.payer_id,
    subject: { type: 'Expense', id: expense_id },
    source: { type: 'Attachment', id },
    event: 'attachment_created',
    details: [{ attribute: 'file', from: null, to: found.file_name }],
  })
  return id
}

type FileColumns = Pick<Row<'attachments'>, 'sha256' | 'file_name' | 'content_type' | 'bytes' | 'uploaded_at'>

async function findFile(tx: Tx, file: AttachedFile): Promise<FileColumns> {
  if (typeof file === 'string') {
    const upload = await claimUpload(tx, { url: file, user_id: tx.actor.user_id })
    const { sha256, file_name, content_type, bytes, created_at: uploaded_at } = upload
    return { sha256, file_name, content_type, bytes, uploaded_at }
  }
  const blob = await findBlob(tx, file.sha256)
  if (!blob) throw new Error(`Nothing is known of the file ${file.sha256}.`)
  const { sha256, content_type, bytes } = blob
  return { sha256, file_name: file.file_name, content_type, bytes, uploaded_at: tx.now }
}
