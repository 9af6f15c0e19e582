import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { attachmentRoutes } from '#shared/contract/attachments'
import { DomainError, notFound } from '#shared/domain/errors'
import { decideExpenseEdit, refuseEdit } from '#shared/domain/expense-access'
import { attachment as definition } from '#shared/records/attachment'
import { type PlainInput, newColumns, toColumns } from '#shared/records/columns'
import type { Changes } from '#main/store/core/record-writer'
import type { Reader, Tx } from '#main/store/core/store'
import { type ActivityDetail, writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import {
  type AttachmentWithBlob,
  deleteAttachment as storeDeletion,
  findAttachment,
  insertAttachment,
  updateAttachment as storeAttachment,
} from '#main/store/records/files/attachments'
import { findBlob } from '#main/store/records/files/blob-reader'
import { type VisibleExpense, getVisibleExpense } from '../access/get-visible-expense'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { takeBackForReceipts } from '../expenses/decided-expense'
import { claimUpload } from '../uploads/uploads'

/** The ids of an attachment and its expense. */
export interface AttachmentKey {
  readonly expense_id: number
  readonly id: number
}

/** The attachment, if the user may see its expense; otherwise, and on a deleted expense, 404. Throws {@link DomainError}. */
export async function getVisibleAttachment(
  reader: Reader,
  { expense_id, id, user_id }: AttachmentKey & { user_id: number },
): Promise<VisibleExpense & { attachment: AttachmentWithBlob }> {
  const visible = await getVisibleExpense(reader, { id: expense_id, user_id })
  const attachment = await findAttachment(reader, { expense_id, id })
  if (!attachment) throw notFound()
  return { ...visible, attachment }
}

/** Throws {@link DomainError} if the actor may not edit the expense: attachments follow the same rule (supplement 2, "Who edits"). */
async function assertEditable(tx: Tx, { expense, relation }: VisibleExpense): Promise<void> {
  await getWritableOrganization(tx, expense.payer_id)
  const decision = decideExpenseEdit(expense, relation)
  if (decision.kind === 'forbidden') throw refuseEdit(expense, relation)
  if (decision.kind === 'not_possible') throw new DomainError({ kind: 'not_possible', code: 'liquidated_expense' })
}

/** The attachment, if the actor may change it and has seen its current version. Throws {@link DomainError}. */
async function getEditableAttachment(tx: Tx, key: AttachmentKey): Promise<{ expense: Row<'expenses'>; attachment: AttachmentWithBlob }> {
  const found = await getVisibleAttachment(tx, { ...key, user_id: tx.actor.user_id })
  await assertEditable(tx, found)
  await assertFresh(tx, found.attachment)
  return found
}

/** A file to attach: the Location of the acting user's upload, or a stored file with a name. */
type AttachedFile = string | { readonly sha256: string; readonly file_name: string }

/** Attaches a file to an expense; returns the attachment's id (supplement 2, "Expenses"). Throws {@link DomainError}. */
export async function attachBlob(
  tx: Tx,
  expense_id: number,
  { file, ...input }: PlainInput<typeof definition.attributes> & { readonly file: AttachedFile },
): Promise<number> {
  const { user_id } = tx.actor
  const visible = await getVisibleExpense(tx, { id: expense_id, user_id })
  await assertEditable(tx, visible)
  const found = await findFile(tx, file)
  const { id } = await insertAttachment(tx, visible.expense, { ...newColumns(definition.attributes, input), user_id, ...found })
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

/** Attributes to change; absent ones stay. */
type UpdateAttachment = z.output<typeof attachmentRoutes.update.body>

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
