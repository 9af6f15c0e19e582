import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import type { Expense } from '#shared/contract/expenses'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { holdsDecision } from '#shared/domain/expense-status'
import { deleteAttachment } from '../../api/attachments'
import { failureText } from '../../api/failure-text'
import { ownWritesShown } from '../../api/own-writes'
import { createHeldActs, heldTimeMs } from '../../state/held-acts'
import { notifyFailure } from '../../state/notices'
import { offerUndo } from '../../state/undo-stack'
import { now } from '../../ui/values/clock'
import { expenseArea } from '../../records/expense/expense-moves'

/** Attachments that are hidden and will be deleted, by id: a deleted file cannot be attached again. */
export const pendingDeletes = createHeldActs<number>()

/** The attachments of an expense without those about to be deleted; none while the expense loads. */
export function useKeptAttachments(expense: Expense | undefined): readonly AttachmentRepresentation[] {
  const pending = pendingDeletes.useTargets()
  return useMemo(
    () => (expense?.attachments ?? []).filter(({ id }) => !pending.some(({ target }) => target === id)),
    [expense?.attachments, pending],
  )
}

/** Takes an attachment out of sight, and deletes it when nobody has asked for it back. */
export function deleteWithUndo(expense: Expense, attachment: AttachmentRepresentation, t: TFunction<'expense'>): void {
  const ids = { expense_id: expense.id, id: attachment.id }
  const run = async () => {
    try {
      await deleteAttachment(ids, { isLeaving: false })
    } catch (error) {
      notifyFailure({ title: t('attachments.notDeleted', { name: attachment.file_name }), message: failureText(error) })
    }
    await ownWritesShown()
  }
  const leave = () => void deleteAttachment(ids, { isLeaving: true })
  const takeBack = pendingDeletes.hold({ target: attachment.id, run, leave })
  offerUndo(
    {
      area: expenseArea,
      label: t(holdsDecision(expense.status) ? 'attachments.deletedDecided' : 'attachments.deleted', { name: attachment.file_name }),
      at: now().toISOString(),
      undo: async () => (takeBack() ? undefined : t('attachments.tooLate')),
    },
    { lastsMs: heldTimeMs },
  )
}
