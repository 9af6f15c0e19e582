import type { Row } from '#db/schema'
import { DomainError, notFound } from '#shared/domain/errors'
import { decideExpenseEdit, refuseEdit } from '#shared/domain/expense-access'
import { type AttachmentWithBlob, findAttachment } from '#main/store/records/files/attachment-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { type VisibleExpense, getVisibleExpense } from '../access/get-visible-expense'
import { assertFresh, getWritableOrganization } from '../access/preconditions'

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
export async function assertEditable(tx: Tx, { expense, relation }: VisibleExpense): Promise<void> {
  await getWritableOrganization(tx, expense.payer_id)
  const decision = decideExpenseEdit(expense, relation)
  if (decision.kind === 'forbidden') throw refuseEdit(expense, relation)
  if (decision.kind === 'not_possible') throw new DomainError({ kind: 'not_possible', code: 'liquidated_expense' })
}

/** The attachment, if the actor may change it and has seen its current version. Throws {@link DomainError}. */
export async function getEditableAttachment(
  tx: Tx,
  key: AttachmentKey,
): Promise<{ expense: Row<'expenses'>; attachment: AttachmentWithBlob }> {
  const found = await getVisibleAttachment(tx, { ...key, user_id: tx.actor.user_id })
  await assertEditable(tx, found)
  await assertFresh(tx, found.attachment)
  return found
}
