import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { create } from 'zustand'
import type { Expense } from '#shared/contract/expenses'
import type { AttachmentRepresentation } from '#shared/contract/representations'
import { deleteAttachment } from '../../api/attachments'
import { expenseKeys } from '../../api/expenses'
import { failureText } from '../../api/failure-text'
import { notifyDone, notifyFailure, notifyUndo } from '../../ui/toast'

/** An attachment that is gone from sight and will be deleted: what is deleted cannot be attached again. */
type PendingDelete = {
  readonly ids: { readonly expense_id: number; readonly id: number }
  readonly timer: ReturnType<typeof setTimeout>
}

/** As long as the offer to take it back is seen. */
const delayMs = 10_000

const usePending = create<{ pending: readonly PendingDelete[] }>()(() => ({ pending: [] }))

function take(id: number): PendingDelete | undefined {
  const { pending } = usePending.getState()
  const found = pending.find(({ ids }) => ids.id === id)
  if (found) clearTimeout(found.timer)
  return found
}

function forget(id: number): void {
  usePending.setState(({ pending }) => ({ pending: pending.filter(({ ids }) => ids.id !== id) }))
}

/** The attachments of an expense without those about to be deleted. */
export function useKeptAttachments(expense: Expense): readonly AttachmentRepresentation[] {
  const pending = usePending((state) => state.pending)
  return useMemo(
    () => expense.attachments.filter(({ id }) => !pending.some(({ ids }) => ids.id === id)),
    [expense.attachments, pending],
  )
}

/** The attachment last taken out of sight, if it can still be brought back. */
export function lastPendingDelete(): number | undefined {
  return usePending.getState().pending.at(-1)?.ids.id
}

/** Brings an attachment back into sight; false when it is deleted already. */
export function restoreAttachment(id: number): boolean {
  const found = take(id)
  if (found) forget(id)
  return found !== undefined
}

/** Takes an attachment out of sight, and deletes it when nobody has asked for it back. */
export function deleteWithUndo(
  expense: Expense,
  attachment: AttachmentRepresentation,
  { queryClient, t }: { queryClient: QueryClient; t: TFunction<'expense'> },
): void {
  const ids = { expense_id: expense.id, id: attachment.id }
  const run = async () => {
    take(attachment.id)
    try {
      await deleteAttachment(ids, { isLeaving: false })
    } catch (error) {
      notifyFailure({ title: t('attachments.notDeleted', { name: attachment.file_name }), message: failureText(error) })
    }
    await queryClient.invalidateQueries({ queryKey: expenseKeys.all })
    forget(attachment.id)
  }
  const timer = setTimeout(() => void run(), delayMs)
  usePending.setState(({ pending }) => ({ pending: [...pending, { ids, timer }] }))
  notifyUndo({
    message: t('attachments.deleted', { name: attachment.file_name }),
    undoLabel: t('undo'),
    undo: () => {
      if (!restoreAttachment(attachment.id)) notifyDone(t('attachments.tooLate'))
    },
  })
}

/** Carries out what is pending when the page goes away. Once, for the window. */
function flushOnLeave(): void {
  const { pending } = usePending.getState()
  for (const { ids, timer } of pending) {
    clearTimeout(timer)
    void deleteAttachment(ids, { isLeaving: true })
  }
}

if (typeof window !== 'undefined') window.addEventListener('pagehide', flushOnLeave)
